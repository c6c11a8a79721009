import { describe, expect, test } from 'bun:test'
import { configErrors, readConfig } from '../helpers/config.ts'

describe('the mail server', () => {
  const withFrom = (url: string) => configErrors(['--smtp-url', url, '--mail-from', 'board@example.com'])
  const SCHEME = '--smtp-url must be an smtp:// or smtps:// URL of a host.'
  const NO_PATH =
    '--smtp-url must end after the host and port; in a password, write @ / ? # as %40 %2F %3F %23.'
  const BOTH = '--smtp-url must contain both a user name and a password, or neither.'

  test.each([
    ['smtp://mail.example', []],
    ['smtp://mail.example:2525/', []],
    ['smtps://ada:p%40ss@mail.example', []],
    ['smtp://[::1]:25', []],
    ['mail.example', [SCHEME]],
    ['http://mail.example', [SCHEME]],
    ['smtp://', [SCHEME]],
    ['smtp://mail server', [SCHEME]],
    ['smtp://münchen.example', [SCHEME]],
    ['smtp://1.2', [SCHEME]],
    ['smtp://mail.example/path', [NO_PATH]],
    ['smtp://ada:a/b@mail.example', [SCHEME]],
    ['smtp://mail.example?tls.rejectUnauthorized=false', [NO_PATH]],
    ['smtp://ada@mail.example', [BOTH]],
    ['smtp://:secret@mail.example', [BOTH]],
    [
      'smtp://ada:100%@mail.example',
      ['--smtp-url contains a % in its user name or password: write it as %25.'],
    ],
  ])('at %s is accepted, or refused without quoting it', (url, result) => {
    expect(withFrom(url)).toEqual(result)
  })

  test('requires a sender, and a sender requires it', () => {
    expect(configErrors(['--smtp-url', 'smtp://mail.example'])).toEqual(['--smtp-url requires --mail-from.'])
    expect(configErrors(['--mail-from', 'board@example.com'])).toEqual(['--mail-from requires --smtp-url.'])
  })

  test('requires the address of a sender', () => {
    expect(
      configErrors(['--smtp-url', 'smtp://mail.example', '--mail-from', 'Board <board@example.com>']),
    ).toEqual([
      '--mail-from must be an e-mail address, such as jobs@example.com (given: "Board <board@example.com>").',
    ])
  })

  test('is required by open registration', () => {
    const sentence = '--registration open requires --smtp-url, to confirm addresses.'
    expect(configErrors(['--registration', 'open'])).toEqual([sentence])
    expect(configErrors([], { CORKBOARD_REGISTRATION: 'open' })).toEqual([sentence])
  })

  test('allows open registration, with approval of paid jobs', () => {
    const given = ['--registration', 'open', '--smtp-url', 'smtp://a', '--mail-from', 'a@example.com']
    expect(readConfig(given, {})).toMatchObject({ registration: 'open', approve: 'paid' })
  })
})
