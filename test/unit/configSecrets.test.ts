import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Environment } from '../../src/config/environment.ts'
import { ADMIN, configErrors, readConfig } from '../helpers/config.ts'
import { temporaryFiles } from '../helpers/files.ts'

const { folder, file } = temporaryFiles()

describe('the first administrator', () => {
  const password = (text: string) => configErrors([], { ...ADMIN, CORKBOARD_ADMIN_PASSWORD: text })

  test('has its address in lower case and its password unchanged', () => {
    const variables = {
      CORKBOARD_ADMIN_EMAIL: 'Ada@Example.com',
      CORKBOARD_ADMIN_PASSWORD: ' Correct Horse ',
    }
    expect(readConfig([], variables)).toMatchObject({
      adminEmail: 'ada@example.com',
      adminPassword: ' Correct Horse ',
    })
  })

  test.each([
    ['12345678', []],
    ['😀'.repeat(8), []],
    ['x'.repeat(256), []],
    ['1234567', ['CORKBOARD_ADMIN_PASSWORD must have at least 8 characters.']],
    ['😀'.repeat(7), ['CORKBOARD_ADMIN_PASSWORD must have at least 8 characters.']],
    ['x'.repeat(257), ['CORKBOARD_ADMIN_PASSWORD may have at most 256 bytes.']],
    ['é'.repeat(129), ['CORKBOARD_ADMIN_PASSWORD may have at most 256 bytes.']],
    ['', ['CORKBOARD_ADMIN_PASSWORD is empty: set a value or leave it out.']],
  ])('has a valid or invalid password (%#)', (text, result) => {
    expect(password(text)).toEqual(result)
  })

  test.each(['nobody', 'a@', 'a b@example.com'])('must not have the address %j', text => {
    expect(configErrors([], { ...ADMIN, CORKBOARD_ADMIN_EMAIL: text })).toEqual([
      `CORKBOARD_ADMIN_EMAIL must be an e-mail address, such as jobs@example.com (given: "${text}").`,
    ])
  })

  test('requires both address and password', () => {
    const { CORKBOARD_ADMIN_EMAIL, CORKBOARD_ADMIN_PASSWORD } = ADMIN
    expect(configErrors([], { CORKBOARD_ADMIN_EMAIL })).toEqual([
      'CORKBOARD_ADMIN_EMAIL requires CORKBOARD_ADMIN_PASSWORD.',
    ])
    expect(configErrors([], { CORKBOARD_ADMIN_PASSWORD })).toEqual([
      'CORKBOARD_ADMIN_PASSWORD requires CORKBOARD_ADMIN_EMAIL.',
    ])
  })

  test('has no flags, and the message does not quote the password', () => {
    expect(configErrors(['--admin-password=hunter22', '--admin-email', 'a@example.com'])).toEqual([
      'Unknown option --admin-password: others could read it on the command line. Set CORKBOARD_ADMIN_PASSWORD instead.',
      'Unknown option --admin-email: others could read it on the command line. Set CORKBOARD_ADMIN_EMAIL instead.',
    ])
  })
})

describe('a secret in a file', () => {
  const { CORKBOARD_ADMIN_EMAIL } = ADMIN
  const inFile = (path: string, more: Environment = {}) => ({
    CORKBOARD_ADMIN_EMAIL,
    CORKBOARD_ADMIN_PASSWORD_FILE: path,
    ...more,
  })

  test.each([
    ['correct horse', 'correct horse'],
    ['correct horse\n', 'correct horse'],
    ['correct horse\r\n', 'correct horse'],
    ['correct horse\n\n', 'correct horse\n'],
    [' correct horse ', ' correct horse '],
  ])('%j is read without its last newline', (content, password) => {
    expect(readConfig([], inFile(file('secret', content))).adminPassword).toBe(password)
  })

  test.each([
    ['it doesn’t exist', () => join(folder, 'missing'), "can't be read: no such file"],
    ['it is a directory', () => folder, "can't be read: it is a directory"],
    [
      'it is not UTF-8',
      () => file('latin', Uint8Array.of(0xff, 0xfe)),
      "names a file that isn't valid UTF-8",
    ],
    ['it is empty', () => file('empty', ''), 'is empty: set a value or leave it out'],
    ['it contains only a newline', () => file('blank', '\n'), 'is empty: set a value or leave it out'],
    ['it is too short', () => file('short', 'hunter2\n'), 'must have at least 8 characters'],
  ])('is refused if %s, and the message does not quote its path', (_, path, error) => {
    expect(configErrors([], inFile(path()))).toEqual([`CORKBOARD_ADMIN_PASSWORD_FILE ${error}.`])
  })

  test('is refused together with the secret itself', () => {
    const { CORKBOARD_ADMIN_PASSWORD } = ADMIN
    expect(configErrors([], inFile(file('secret', 'correct horse'), { CORKBOARD_ADMIN_PASSWORD }))).toEqual([
      'CORKBOARD_ADMIN_PASSWORD and CORKBOARD_ADMIN_PASSWORD_FILE are both set: leave one out.',
    ])
  })
})

test.each(['--base-url', '--cors-origin'])('a URL in %s with a password is not quoted', flag => {
  for (const text of ['https://ada:hunter22@jobs.example.com', 'https//ada:hunter22@jobs.example.com']) {
    expect(configErrors([flag, text])).toHaveLength(1)
    expect(configErrors([flag, text])[0]).not.toContain('hunter22')
  }
})
