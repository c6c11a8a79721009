import { hashPassword } from '../accounts/passwords.ts'
import { addUser, hasAdmin } from '../accounts/users.ts'
import type { Board } from '../board.ts'

const DEFAULT_EMAIL = 'admin@localhost'
/** No letter that is taken for another; as many as five bits tell apart. */
const PASSWORD_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const PASSWORD_LENGTH = 20

/** The first administrator, as the one who runs the board must hear of it. */
export interface FirstAdministrator {
  readonly email: string
  /** Undefined if it came from the configuration. */
  readonly generatedPassword: string | undefined
}

/** Makes an administrator where there is none: the configured one, or one whose password is made up. */
export async function ensureAdministrator(board: Board): Promise<FirstAdministrator | undefined> {
  const { store, clock, config } = board
  if (hasAdmin(store.read)) return undefined
  const email = config.adminEmail ?? DEFAULT_EMAIL
  const generatedPassword = config.adminPassword === undefined ? generatePassword() : undefined
  const passwordHash = await hashPassword(generatedPassword ?? config.adminPassword ?? '')
  await addUser(store, clock, { email, role: 'admin', passwordHash })
  return { email, generatedPassword }
}

const generatePassword = () =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(PASSWORD_LENGTH)),
    byte => PASSWORD_ALPHABET[byte % PASSWORD_ALPHABET.length],
  ).join('')
