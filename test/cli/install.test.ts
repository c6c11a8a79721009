import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingsErrors, settingsText, valueIn, withoutSecrets } from '../../src/cli/install/settingsFile.ts'
import { unitText } from '../../src/cli/install/unit.ts'
import { corkboard, EXECUTABLE } from '../helpers/process.ts'

const MAIL = {
  CORKBOARD_SMTP_URL: 'smtps://board:geheim@mail.example',
  CORKBOARD_MAIL_FROM: 'board@example.com',
}
const UNIT = 'etc/systemd/system/corkboard.service'
const SETTINGS = 'etc/corkboard/corkboard.env'
const PROGRAM = 'usr/local/bin/corkboard'
/** The most that `systemd-analyze security` may report, of 10. */
const MAX_EXPOSURE = 2.5

const isRoot = process.getuid?.() === 0
const analyze = Bun.which('systemd-analyze')
const canInstall = isRoot && Bun.which('systemd-sysusers') !== null

let folder: string
const inFolder = (path: string) => join(folder, path)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-install-'))
})
afterAll(() => rm(folder, { recursive: true }))

const install = (args: readonly string[], variables = {}) =>
  corkboard(['install', ...args], { program: EXECUTABLE, variables })

describe('--print', () => {
  test('shows a unit, and as comments every step and the options without secrets', async () => {
    const { status, out, err } = await install(['--print', '--domain', 'jobs.example'], MAIL)
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain(unitText([]))
    const comments = out.replace(unitText([]), '').trimEnd().split('\n')
    expect(comments.filter(line => !line.startsWith('# '))).toEqual([])
    expect(out).toContain('#     CORKBOARD_DOMAIN="jobs.example"\n')
    expect(out).toContain('#     CORKBOARD_SMTP_URL=…\n')
    expect(out).not.toContain('geheim')
    for (const step of [
      '/usr/local/bin/corkboard',
      'systemd-sysusers',
      'systemctl enable',
      'systemctl restart',
    ])
      expect(comments.join('\n')).toContain(step)
  })

  test('makes folders writable that the service writes to', async () => {
    const { out } = await install(['--print', '--backup-dir', '/srv/my backups'])
    expect(out).toContain('\nReadWritePaths="-/srv/my backups"\n')
  })

  test.each([
    [['--port', 'x'], '--port must be a whole number from 0 to 65535 (given: "x").\n'],
    [['--backup-dir', '/home/ada/backups'], "--backup-dir is in a folder that the service can't see"],
    [['--domains', 'x'], 'Unknown option --domains. Did you mean --domain?\n'],
  ])('refuses %p', async (args, sentence) => {
    const { status, out, err } = await install(['--print', ...args])
    expect([status, out]).toEqual([2, ''])
    expect(err).toStartWith(sentence)
  })

  test.skipIf(analyze === null)('shows a unit that systemd accepts as safe', async () => {
    const path = inFolder('corkboard.service')
    const { out } = await install(['--print', '--domain', 'jobs.example'])
    // systemd looks for the program
    await writeFile(path, out.replace('ExecStart=/usr/local/bin/corkboard', `ExecStart=${EXECUTABLE}`))
    const analysis = (...args: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([analyze ?? '', ...args])
      return { exitCode, text: `${stdout}${stderr}` }
    }
    expect(analysis('verify', '--man=no', path)).toEqual({ exitCode: 0, text: '' })
    const [, exposure] =
      /Overall exposure level.*: ([\d.]+)/.exec(analysis('security', '--offline=true', path).text) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(MAX_EXPOSURE)
  })
})

describe.skipIf(!canInstall)('an installation in another file system', () => {
  const root = () => inFolder('image')

  test('has everything, and an upgrade keeps the options', async () => {
    await mkdir(root())
    const first = await install(['--root', root(), '--name', 'A "fine" board', '--port', '4000'], MAIL)
    expect(first).toMatchObject({ status: 0, err: '' })
    expect(readFileSync(join(root(), UNIT), 'utf8')).toBe(unitText([]))
    expect(statSync(join(root(), PROGRAM)).mode & 0o777).toBe(0o755)
    expect(statSync(join(root(), SETTINGS)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(root(), 'etc/passwd'), 'utf8')).toContain('corkboard:')
    expect(existsSync(join(root(), 'etc/systemd/system/multi-user.target.wants'))).toBeTrue()

    expect((await install(['--root', root(), '--port', '5000', '--backup-dir', '/srv/backups'])).status).toBe(
      0,
    )
    const settings = readFileSync(join(root(), SETTINGS), 'utf8')
    expect(valueIn(settings, 'name')).toBe('A "fine" board')
    expect(valueIn(settings, 'port')).toBe('5000')
    expect(valueIn(settings, 'smtpUrl')).toBe(MAIL.CORKBOARD_SMTP_URL)
    expect((await install(['--root', root()])).status).toBe(0)
    expect(readFileSync(join(root(), UNIT), 'utf8')).toBe(unitText(['/srv/backups']))
  })

  test('is removed, except for its options', async () => {
    const uninstall = () => corkboard(['uninstall', '--root', root()], { program: EXECUTABLE })
    await install(['--root', root(), '--data', '/srv/data'])
    const { status, out } = await uninstall()
    expect([status, out]).toEqual([0, expect.stringContaining('The data is still in /srv/data,')])
    for (const path of [UNIT, PROGRAM, 'etc/sysusers.d/corkboard.conf'])
      expect(existsSync(join(root(), path))).toBeFalse()
    expect(existsSync(join(root(), SETTINGS))).toBeTrue()
    expect(await uninstall()).toMatchObject({
      status: 1,
      err: "The service is not installed: /etc/systemd/system/corkboard.service doesn't exist.\n",
    })
  })
})

test.skipIf(existsSync('/run/systemd/system') && isRoot)(
  'is refused with a sentence without root or systemd',
  async () => {
    const { status, err } = await install([])
    expect(status).toBe(1)
    expect(err).toMatch(/^(corkboard install must be run as root|systemd doesn't run on this machine)/)
  },
)

describe('the settings file', () => {
  const hard = 'a "b" \\ $HOME `x`\nnext=line'

  test('keeps what it had, replaces what is given, and reads its values back', () => {
    const text = settingsText(
      undefined,
      new Map([
        ['name', hard],
        ['port', '1'],
      ]),
    )
    const changed = settingsText(`${text}# mine\nOTHER=1\n`, new Map([['port', '2']]))
    expect(valueIn(changed, 'name')).toBe(hard)
    expect(valueIn(changed, 'port')).toBe('2')
    expect(changed).toContain('# mine\nOTHER=1\n')
    expect(changed.match(/CORKBOARD_PORT/g)).toHaveLength(1)
    expect(valueIn(changed, 'host')).toBeUndefined()
    expect(valueIn('CORKBOARD_PORT=3', 'port')).toBe('3')
    expect(valueIn(`CORKBOARD_NAME='a "b" \\ $c'`, 'name')).toBe('a "b" \\ $c')
  })

  test('is checked as a whole, because an upgrade may add options that exclude older ones', () => {
    const before = `# mine\nCORKBOARD_PORT=4000\nCORKBOARD_NAME='A "b"'\n`
    expect(settingsErrors(before)).toEqual([])
    expect(settingsErrors(settingsText(before, new Map([['domain', 'jobs.example.com']])))).toEqual([
      expect.stringMatching(/^CORKBOARD_PORT can't be used with CORKBOARD_DOMAIN|^--port can't be used with/),
    ])
  })

  test('has either a secret or the file it comes from, and can be shown', () => {
    const before = 'CORKBOARD_SMTP_URL_FILE=/etc/url\nCORKBOARD_METRICS_TOKEN="geheim\nweiter"\n'
    const text = settingsText(before, new Map([['smtpUrl', 'smtp://geheim']]))
    expect(text).not.toContain('_FILE')
    expect(withoutSecrets(text)).toBe('CORKBOARD_METRICS_TOKEN=…\nCORKBOARD_SMTP_URL=…')
  })
})
