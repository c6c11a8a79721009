import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version as packageVersion } from '../../package.json'
import { COMMAND, Corkboard, VERSION } from '../helpers/process.ts'
import { commandsOf, type ShownCommand, showsOutput } from '../helpers/readme.ts'
import { S3Server } from '../helpers/s3Server.ts'

const README = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8')
/** The values in the README that differ from board to board. */
const SHOWN_URL = 'http://127.0.0.1:3000'
const SHOWN_S3_SERVER = 'https://s3.example.com'
const SHOWN_PASSWORD = 'tzncp3w9uhz2g3inhinh'
/** Separates the outputs of commands. */
const MARK = '\u001e'

const commands = commandsOf(README)
const isStart = ({ command }: ShownCommand) => command === 'npm start'
const isInstalling = ({ command }: ShownCommand) => /^(npm|npx) /.test(command)
const run = commands.filter(command => !isInstalling(command))

let folder: string
let server: Corkboard
let bucket: S3Server
let outputs: string[]

/** Returns output as the README shows it. */
const asShown = (text: string, url: string, password: string) =>
  text.replaceAll(url, SHOWN_URL).replaceAll(password, SHOWN_PASSWORD)

/** Fails with the beginning of both if the output differs. */
function expectShown(output: string, shown: string): void {
  const expected = shown.replaceAll(packageVersion, VERSION)
  if (!showsOutput(expected).test(output.trim())) expect(output.slice(0, 2000)).toBe(expected)
}

const passwordIn = (out: string) => /^ {2}admin@localhost\n {2}(\S+)$/m.exec(out)?.[1] ?? 'none was shown'

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-readme-'))
  await mkdir(join(folder, 'dist'))
  const program = `#!/bin/sh\nexec ${COMMAND.map(word => `'${word}'`).join(' ')} "$@"\n`
  await writeFile(join(folder, 'dist/corkboard'), program, { mode: 0o755 })
  server = new Corkboard(['serve', '--sample', '--port', '0'], { folder })
  const url = await server.url()
  const password = passwordIn(server.out)
  bucket = new S3Server(join(folder, 'bucket'))
  const script = run
    .map(({ command }) => command.replaceAll(SHOWN_URL, url).replaceAll(SHOWN_PASSWORD, password))
    .map(command => command.replaceAll(SHOWN_S3_SERVER, bucket.endpoint))
    .map(command => `printf '${MARK}'\n${command}\n`)
  const shell = Bun.spawn(['bash', '-c', `exec 2>&1\n${script.join('')}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const text = await new Response(shell.stdout).text()
  outputs = asShown(text, url, password).split(MARK).slice(1)
})

afterAll(async () => {
  await server.end('SIGKILL')
  await bucket.stop()
  await rm(folder, { recursive: true })
})

test('the README shows what a first start prints', () => {
  const shown = commands.find(isStart)?.output ?? 'no start is shown'
  const [, url = ''] = /listens on (\S+)/.exec(server.out) ?? []
  expectShown(asShown(server.out, url, passwordIn(server.out)), shown)
})

test('the README has commands for every part of the product', () => {
  const all = run.map(({ command }) => command).join('\n')
  for (const part of ['/jobs.json', '/users.json', '-F ', 'openapi.json', 'Origin:', 'feed.xml', 'analytics'])
    expect(all).toContain(part)
  for (const part of ['subscribers', 'backup', 'restore', 'import', 'export']) expect(all).toContain(part)
})

test.each(run.map(({ command, output }, index) => [command.split('\n', 1)[0], output, index] as const))(
  'the README shows the output of %s',
  (_, output, index) => {
    expectShown(outputs[index] ?? '', output)
  },
)

/** The examples in TypeScript, each with what it prints, which a comment shows too. */
const EXAMPLES = [...README.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
const NURSES = ['23 Registered Nurse, Night Shift', '15 Veterinary Assistant']

/** Returns printed values with the same spaces and commas, however many lines they have. */
const inOneLine = (text: string) => text.replaceAll(/,?\s+/g, ' ')

test.each(EXAMPLES.map((code, at) => [at, code] as const))(
  'the example %d in TypeScript works',
  async (at, code) => {
    const url = await server.url()
    const file = join(folder, `example${at}.ts`)
    await writeFile(file, code.replaceAll(SHOWN_URL, url).replaceAll(SHOWN_PASSWORD, passwordIn(server.out)))
    await symlink(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules')).catch(
      () => undefined,
    )
    const example = Bun.spawn([process.execPath, file], { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
    expect(await example.stderr.text()).toBe('')
    const printed = await example.stdout.text()
    for (const nurse of NURSES) expect(printed).toContain(nurse)
    for (const [, comment = ''] of code.matchAll(/\) \/\/ (.*)$/gm))
      expect(inOneLine(printed)).toContain(inOneLine(comment))
  },
)

test('the README has no snippet that is not run', () => {
  const blocks = [...README.matchAll(/^```(.*)\n([^]*?)^```$/gm)]
  const others = blocks.filter(([, kind, text = '']) => kind !== 'ts' && !text.startsWith('$ '))
  // npm start and npm test, which test/cli/scripts.test.ts runs
  expect(others.map(([, , text = '']) => text.slice(0, 9))).toEqual(['npm start'])
})
