import { join } from 'node:path'
import { version as packageVersion } from '../../package.json'
import type { Environment } from '../../src/config/environment.ts'
import { version } from '../../src/config/version.ts'

export const MAIN = join(import.meta.dir, '../../src/main.ts')
/** The executable, which `npm test` builds first. */
export const EXECUTABLE = join(import.meta.dir, '../../dist/corkboard')
const isBuilt = process.env['PROGRAM'] === 'built'
/**
 * The command that runs the program. After a build, `PROGRAM=built` selects the executable, which starts in two thirds of the
 * time. Otherwise it is the sources, because the executable may be outdated.
 */
export const COMMAND: readonly string[] = isBuilt ? [EXECUTABLE] : [process.execPath, MAIN]
/** The version that COMMAND shows. */
export const VERSION = isBuilt ? packageVersion : version
const PATIENCE = 10_000
const BETWEEN_LOOKS = 5

interface Surroundings {
  /** The whole environment. */
  readonly variables?: Environment
  readonly folder?: string
  /** The contents of standard input. */
  readonly stdin?: string
  /** The program to run instead of COMMAND. */
  readonly program?: string
  /** A module to load before the sources, which run instead of COMMAND. */
  readonly preload?: string
}

/** The program in its own process. */
export class Corkboard {
  out = ''
  err = ''
  private readonly written: Promise<unknown>
  private readonly process: Bun.Subprocess<Uint8Array<ArrayBuffer>, 'pipe', 'pipe'>

  constructor(
    args: readonly string[],
    { variables = {}, folder = '/', stdin = '', program, preload }: Surroundings = {},
  ) {
    const sources = preload === undefined ? undefined : [process.execPath, '--preload', preload, MAIN]
    const command = program === undefined ? (sources ?? COMMAND) : [program]
    this.process = Bun.spawn([...command, ...args], {
      cwd: folder,
      env: variables,
      stdin: new TextEncoder().encode(stdin),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    this.written = Promise.all([
      this.follow(this.process.stdout, text => (this.out += text)),
      this.follow(this.process.stderr, text => (this.err += text)),
    ])
  }

  /** Waits until the server prints its URL, and returns it. */
  async url(): Promise<string> {
    const pattern = /listens on (https?:\S+)/
    await until(() => pattern.test(this.out) || this.process.exitCode !== null)
    const url = pattern.exec(this.out)?.[1]
    if (url === undefined) throw new Error(`The server did not start: ${this.err}`)
    return url
  }

  get pid(): number {
    return this.process.pid
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name)
  }

  /** Ends the process, with a signal if given, and returns its exit status. */
  async end(name?: NodeJS.Signals): Promise<number> {
    if (name) this.process.kill(name)
    await this.written
    return await this.process.exited
  }

  private async follow(stream: ReadableStream<Uint8Array>, take: (text: string) => void) {
    const decoder = new TextDecoder()
    for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }))
  }
}

/** Waits until a condition is true. */
export async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  const start = performance.now()
  while (!(await is())) {
    if (performance.now() - start > PATIENCE) throw new Error('It did not happen.')
    await Bun.sleep(BETWEEN_LOOKS)
  }
}

/** Runs a command until it exits. */
export async function corkboard(args: readonly string[], surroundings: Surroundings = {}) {
  const program = new Corkboard(args, surroundings)
  const status = await program.end()
  return { status, out: program.out, err: program.err }
}

/** Runs a command on a terminal, typing a text at each prompt. */
export async function corkboardOnTerminal(args: readonly string[], responses: readonly string[]) {
  let screen = ''
  const child = Bun.spawn([...COMMAND, ...args], {
    env: {},
    terminal: { data: (_terminal, data) => void (screen += new TextDecoder().decode(data)) },
  })
  let promptCount = 0
  for (const response of responses) {
    await until(() => (screen.length > promptCount && screen.endsWith(': ')) || child.exitCode !== null)
    promptCount = screen.length
    child.terminal?.write(response)
  }
  const status = await child.exited
  child.terminal?.close()
  return { status, screen }
}
