import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import type { Account } from './peer.ts'
import type { Posting } from './postings.ts'

export const EXECUTABLE = join(import.meta.dir, '..', 'dist', 'corkboard')
/** The units of processor time per second on Linux. */
const TICKS = 100
/** In milliseconds. */
const START_TIMEOUT = 20_000

export const ACCOUNT: Account = { email: 'bench@example.com', password: 'a password to measure with' }
export const AUTHORIZATION = `Basic ${Buffer.from(`${ACCOUNT.email}:${ACCOUNT.password}`).toString('base64')}`

/** A server that is being measured. */
export class MeasuredServer {
  constructor(
    readonly port: number,
    private readonly process: Subprocess,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Returns the resident memory in bytes. */
  async memory(): Promise<number> {
    const [own, mapped] = await residentMemory(this.process.pid)
    return own + mapped
  }

  /** Returns the processor time so far, in seconds. */
  async cpu(): Promise<number> {
    const stat = await Bun.file(`/proc/${this.process.pid}/stat`).text()
    // the name, which can contain anything, ends at the last bracket; fields 14 and 15 are user and system time
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) / TICKS
  }

  /** Returns the resident memory of the process and its helper processes by part, in bytes. */
  async memoryByPart(): Promise<{ own: number; mapped: number; helpers: number }> {
    const { pid } = this.process
    const [own, mapped] = await residentMemory(pid)
    const children = await Bun.file(`/proc/${pid}/task/${pid}/children`).text()
    const helpers = await Promise.all(children.split(' ').filter(Boolean).map(residentMemory))
    return { own, mapped, helpers: helpers.flat().reduce((sum, bytes) => sum + bytes, 0) }
  }

  /** Stops the server. With SIGTERM, it finishes running requests first. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.process.kill(signal)
    await this.process.exited
  }
}

/** Returns a process's own memory and that of mapped files, in bytes. */
async function residentMemory(pid: number | string): Promise<[own: number, mapped: number]> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
  return [bytes('RssAnon'), bytes('RssFile') + bytes('RssShmem')]
}

/** Runs work with a temporary folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'corkboard-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts the executable with default options; its log goes to a file. */
export async function startBoard(folder: string): Promise<MeasuredServer> {
  const child = Bun.spawn([EXECUTABLE, 'serve', '--port', '0', '--data', join(folder, 'data')], {
    env: { CORKBOARD_ADMIN_EMAIL: ACCOUNT.email, CORKBOARD_ADMIN_PASSWORD: ACCOUNT.password },
    stdout: 'pipe',
    stderr: Bun.file(join(folder, 'log')),
  })
  return new MeasuredServer(await portFrom(child.stdout, /http:\/\/127\.0\.0\.1:(\d+)/), child)
}

/** Starts another program of this folder: a server that reads `input` and prints its port. */
export async function startOther(name: 'peer' | 'bare' | 'counted', input: object): Promise<MeasuredServer> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`)], {
    stdin: new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return new MeasuredServer(await portFrom(child.stdout, /^(\d+)\n/), child)
}

async function portFrom(output: ReadableStream<Uint8Array>, pattern: RegExp): Promise<number> {
  const deadline = AbortSignal.timeout(START_TIMEOUT)
  let text = ''
  for await (const chunk of output) {
    text += Buffer.from(chunk).toString()
    const port = pattern.exec(text)?.[1]
    if (port !== undefined) return Number(port)
    deadline.throwIfAborted()
  }
  throw new Error(`a server ended at the start: ${text}`)
}

/** Fills a board through the API: one category, term and plan, and the postings, all by the administrator. */
export async function fillBoard(board: MeasuredServer, postings: readonly Posting[]): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
    const response = await fetch(`${board.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  await post('/categories.json', { name: 'All' })
  await post('/terms.json', { name: 'Full-time' })
  await post('/plans.json', { name: 'Basic' })
  const BATCH_SIZE = 16
  for (let start = 0; start < postings.length; start += BATCH_SIZE)
    await Promise.all(
      postings.slice(start, start + BATCH_SIZE).map(posting => post('/jobs.json', asBody(posting))),
    )
}

export const asBody = (posting: Posting) => ({ ...posting, category_id: 1, term_id: 1, plan_id: 1 })

/** Returns the path of a page of the list. */
export const pageOf = (number: number, size: number) => `/jobs.json?page=${number}&per_page=${size}`
