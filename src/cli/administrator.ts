import { hashPassword } from '../accounts/passwords.ts'
import { addUser, hasAdmin } from '../accounts/users.ts'
import type { Board } from '../board.ts'

const DEFAULT_EMAIL = 'admin@localhost'
/** 32 characters, without those that are easily confused. */
const PASSWORD_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const PASSWORD_LENGTH = 20

/** The first administrator, as the start message shows it. */
export interface FirstAdministrator {
  readonly email: string
  /** The generated password; undefined if it is configured. */
  readonly generatedPassword: string | undefined
}

/** Creates an administrator if there is none: the configured one, or one with a generated password. */
export async function ensureAdministrator(board: Board): Promise<FirstAdministrator | undefined> {
  const { store, clock, config } = board
  if (hasAdmin(store.read)) return undefined
  const email = config.adminEmail ?? DEFAULT_EMAIL
  const generatedPassword = config.adminPassword === undefined ? generatePassword() : undefined
  const passwordHash = await hashPassword(generatedPassword ?? config.adminPassword ?? '')
  await store.write(tables => addUser(tables, clock, { email, role: 'admin', passwordHash }))
  return { email, generatedPassword }
}

const generatePassword = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(PASSWORD_LENGTH)),
    byte => PASSWORD_ALPHABET[byte % PASSWORD_ALPHABET.length],
  ).join('')
