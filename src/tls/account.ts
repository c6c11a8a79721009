import { createPrivateKey } from 'node:crypto'
import type { Client } from 'acme-client'
import type { Log } from '../http/log.ts'
import { loadAcme } from './acmeClient.ts'
import { AcmeError } from './acmeProblem.ts'
import type { TlsFolder } from './tlsFolder.ts'

/** Returns the key of the account at the authority, as PEM. Creates and stores it first if there is none. */
export async function accountKeyOf(folder: TlsFolder, log: Log): Promise<string> {
  const stored = await folder.readAccountKey()
  if (stored !== undefined && isKey(stored)) return stored
  if (stored !== undefined) log.warn('the stored account key is damaged, and is replaced by a new one')
  const { crypto } = await loadAcme()
  const key = (await crypto.createPrivateEcdsaKey()).toString()
  await folder.writeAccountKey(key)
  return key
}

/**
 * Makes sure that the account of a client's key exists at the authority, with the current address.
 * @throws AcmeError
 */
export async function openAccount(client: Client, email: string | undefined): Promise<void> {
  const contact = email === undefined ? {} : { contact: [`mailto:${email}`] }
  // To create an account that exists would update it with nothing, which a strict authority refuses.
  const exists = await client.createAccount({ onlyReturnExisting: true }).then(() => true, unlessUnknown)
  if (!exists) await client.createAccount({ termsOfServiceAgreed: true, ...contact })
  else if (email !== undefined) await client.updateAccount(contact)
}

function unlessUnknown(error: unknown): false {
  if (error instanceof AcmeError && error.problems.some(({ type }) => type === 'accountDoesNotExist'))
    return false
  throw error
}

function isKey(text: string): boolean {
  try {
    return createPrivateKey(text).type === 'private'
  } catch {
    return false
  }
}
