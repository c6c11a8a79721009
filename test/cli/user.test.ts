import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addUser } from '../../src/accounts/users.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import type { UserRow } from '../../src/store/rows.ts'
import type { Store } from '../../src/store/store.ts'
import { START } from '../helpers/board.ts'
import { withData } from '../helpers/data.ts'
import { TestHost } from '../helpers/host.ts'

let folder: string

const withStore = <T>(work: (store: Store) => T | Promise<T>) => withData(join(folder, 'data'), work)

const accounts = () => withStore(store => store.read.users.all())
const account = async (email: string): Promise<UserRow | undefined> =>
  (await accounts()).find(it => it.email === email)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-user-'))
  await withStore(async store => {
    const before = () => START - 1000
    const passwordHash = 'none'
    await store.write(tables => {
      addUser(tables, before, { email: 'admin@example.com', role: 'admin', passwordHash })
      addUser(tables, before, { email: 'ada@example.com', role: 'user', passwordHash })
    })
  })
})

afterEach(() => rm(folder, { recursive: true }))

async function user(words: string, stdin: string | Uint8Array = '') {
  const host = new TestHost({ stdin })
  const status = await run(COMMANDS, ['user', ...words.split(' '), '--data', join(folder, 'data')], host)
  return { status, out: host.out, err: host.err }
}

describe('user list', () => {
  test('has a line for each account', async () => {
    expect(await user('list')).toEqual({
      status: 0,
      out:
        '1\tadmin@example.com\tadmin\t2026-01-10T18:21:58+00:00\n' +
        '2\tada@example.com\tuser\t2026-01-10T18:21:58+00:00\n',
      err: '',
    })
  })
})

describe('user add', () => {
  test.each([
    ['add Bob@Example.com --password-stdin', 'user'],
    ['add --admin --password-stdin Bob@Example.com', 'admin'],
  ])('%s creates an account with the role %s', async (words, role) => {
    expect(await user(words, 'correct horse\n')).toEqual({
      status: 0,
      out: `Created the account bob@example.com (${role}).\n`,
      err: '',
    })
    const created = await account('bob@example.com')
    expect(created).toMatchObject({ id: 3, role, createdAt: START, updatedAt: START })
    expect(await Bun.password.verify('correct horse', created?.passwordHash ?? '')).toBe(true)
  })

  test.each([
    ['add', 2, 'user add takes EMAIL, but 0 arguments were given.'],
    ['add bob@example.com hunter22', 2, 'user add takes EMAIL, but 2 arguments were given.'],
    ['add bob --password-stdin', 2, 'EMAIL must be an e-mail address, such as jobs@example.com.'],
    [
      'add bob@example.com',
      2,
      'There is no terminal to ask for the password. Pass it with --password-stdin.',
    ],
    [
      'add bob@example.com --password=hunter22',
      2,
      'Unknown option --password. Did you mean --password-stdin?',
    ],
    ['add ADA@example.com --password-stdin', 1, 'An account for ada@example.com already exists.'],
  ])('%s creates none', async (words, status, sentence) => {
    expect(await user(words, 'correct horse')).toEqual({ status, out: '', err: `${sentence}\n` })
    expect(await accounts()).toHaveLength(2)
  })
})

describe('a password on standard input', () => {
  test.each([
    ['correct horse', 'correct horse'],
    ['correct horse\n', 'correct horse'],
    ['correct horse\r\n', 'correct horse'],
    [' correct horse \n', ' correct horse '],
    ['pässwörd', 'pässwörd'],
    ['x'.repeat(256), 'x'.repeat(256)],
  ])('is read without its newline (%#)', async (stdin, password) => {
    expect(await user('password ada@example.com --password-stdin', stdin)).toMatchObject({ status: 0 })
    expect(await Bun.password.verify(password, (await account('ada@example.com'))?.passwordHash ?? '')).toBe(
      true,
    )
  })

  test.each<[string, string | Uint8Array]>([
    ['The password is required.', ''],
    ['The password is required.', '\n'],
    ['The password must have at least 8 characters.', 'hunter2\n'],
    ['The password may have at most 256 bytes.', 'x'.repeat(257)],
    ['Standard input has more than one line.', 'correct horse\nbattery staple\n'],
    ['Standard input has more than one line.', 'correct horse\n\n'],
    ['The password contains an invalid character.', 'correct\0horse'],
    ['The password is not valid UTF-8.', Uint8Array.of(0x66, 0xff, 0xfe)],
    ['The password may have at most 256 bytes.', 'x'.repeat(1_000_000)],
  ])('is refused: %s (%#)', async (sentence, stdin) => {
    expect(await user('password ada@example.com --password-stdin', stdin)).toEqual({
      status: 1,
      out: '',
      err: `${sentence}\n`,
    })
    expect((await account('ada@example.com'))?.passwordHash).toBe('none')
  })
})

describe('an existing account', () => {
  test('gets a new password, which invalidates verified credentials', async () => {
    expect(await user('password ADA@example.com --password-stdin', 'correct horse')).toEqual({
      status: 0,
      out: 'Changed the password of ada@example.com.\n',
      err: '',
    })
    expect(await account('ada@example.com')).toMatchObject({ epoch: 2, updatedAt: START })
  })

  test('changes its role', async () => {
    expect(await user('role ada@example.com admin')).toEqual({
      status: 0,
      out: 'Changed the role of ada@example.com to admin.\n',
      err: '',
    })
    expect(await account('ada@example.com')).toMatchObject({ role: 'admin', epoch: 2 })
  })

  test('is deleted', async () => {
    expect(await user('remove ada@example.com')).toEqual({
      status: 0,
      out: 'Deleted the account ada@example.com.\n',
      err: '',
    })
    expect(await account('ada@example.com')).toBeUndefined()
  })

  test.each([
    ['role ada@example.com boss', 2, 'ROLE must be user or admin.'],
    ['role ada@example.com', 2, 'user role takes EMAIL ROLE, but 1 argument was given.'],
    ['role admin@example.com user', 1, 'This is the last administrator. Add another one first.'],
    ['remove admin@example.com', 1, 'This is the last administrator. Add another one first.'],
    ['role bob@example.com admin', 1, 'There is no account for bob@example.com.'],
    ['remove bob@example.com', 1, 'There is no account for bob@example.com.'],
    ['password bob@example.com --password-stdin', 1, 'There is no account for bob@example.com.'],
  ])('is not changed by %s', async (words, status, sentence) => {
    const before = await accounts()
    expect(await user(words, 'correct horse')).toEqual({ status, out: '', err: `${sentence}\n` })
    expect(await accounts()).toEqual(before)
  })
})

test('does not create a data directory', async () => {
  const host = new TestHost()
  const path = join(folder, 'nowhere')
  expect(await run(COMMANDS, ['user', 'list', '--data', path], host)).toBe(1)
  expect(host.err).toBe(`${path} isn't a data directory: it has no data.mdb.\n`)
  expect(await Bun.file(path).exists()).toBe(false)
})
