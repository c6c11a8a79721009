import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addUser } from '../../src/accounts/users.ts'
import type { Role } from '../../src/base/caller.ts'
import { Board } from '../../src/board.ts'
import { Log } from '../../src/http/log.ts'
import { createApp } from '../../src/server/app.ts'
import { readConfig } from './config.ts'

export const BASE_URL = 'https://board.example.com'
export const START = Date.UTC(2026, 0, 10, 18, 21, 59)
export const PASSWORD = 'correct horse'

const PASSWORD_HASH = Bun.password.hash(PASSWORD)

/** The files of a board, by their paths in its folder. */
export type BoardFiles = ReadonlyMap<string, Uint8Array>

/** A board in its own folder, with a clock that tests move, called without a socket. */
export class TestBoard {
  private constructor(
    readonly board: Board,
    readonly folder: string,
    readonly clock: { now: number },
    /** The lines of the log. */
    readonly logged: string[],
    private readonly app: { fetch(request: Request): Response | Promise<Response> },
  ) {}

  static async open(...flags: string[]): Promise<TestBoard> {
    const folder = await mkdtemp(join(tmpdir(), 'corkboard-'))
    return await TestBoard.openAt(folder, { now: START }, flags)
  }

  /** Opens the board in `data` of a folder. */
  static async at(folder: string, ...flags: string[]): Promise<TestBoard> {
    return await TestBoard.openAt(folder, { now: START }, flags)
  }

  /** Opens a copy of a board, which takes a fraction of the time in which its records could be created again. */
  static async copyOf(files: BoardFiles, ...flags: string[]): Promise<TestBoard> {
    const folder = await mkdtemp(join(tmpdir(), 'corkboard-'))
    for (const [path, bytes] of files) await Bun.write(join(folder, path), bytes)
    return await TestBoard.openAt(folder, { now: START }, flags)
  }

  /** Opens a board that is served on a free port, which is its base URL. */
  static async serve(...flags: string[]) {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const base = `http://127.0.0.1:${server.port}`
    const board = await TestBoard.open('--base-url', base, ...flags)
    server.reload({ fetch: board.handle })
    return { board, server, base }
  }

  private static async openAt(folder: string, clock: { now: number }, flags: readonly string[]) {
    const config = readConfig(['--data', join(folder, 'data'), ...flags], {})
    const logged: string[] = []
    const sink = {
      write: (text: string) => void logged.push(...text.split('\n').filter(Boolean)),
      flush: () => {},
    }
    const log = new Log(sink, 'json', 'info', () => clock.now)
    const board = await Board.open(config, () => clock.now, log, config.baseUrl ?? BASE_URL)
    return new TestBoard(board, folder, clock, logged, createApp(board))
  }

  /** Closes the board and reopens its data. */
  async reopen(...flags: string[]): Promise<TestBoard> {
    await this.board.close()
    return await this.again(...flags)
  }

  /** Reopens the data of a closed board. */
  async again(...flags: string[]): Promise<TestBoard> {
    return await TestBoard.openAt(this.folder, this.clock, flags)
  }

  /** Closes the board, and returns its files. */
  async toFiles(): Promise<BoardFiles> {
    await this.board.close()
    const paths = [...new Bun.Glob('**').scanSync({ cwd: this.folder, dot: true })]
    const files = await Promise.all(
      paths.map(async path => [path, await Bun.file(join(this.folder, path)).bytes()] as const),
    )
    await rm(this.folder, { recursive: true, force: true })
    return new Map(files)
  }

  async close(): Promise<void> {
    await this.board.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Creates an account whose password is PASSWORD, and returns its credentials. */
  async account(email: string, role: Role = 'user'): Promise<Account> {
    const { store, clock } = this.board
    const passwordHash = await PASSWORD_HASH
    const user = await store.write(tables => addUser(tables, clock, { email, role, passwordHash }))
    return { id: user.id, email, authorization: basic(email, PASSWORD) }
  }

  /** Serves the board on a free port until the returned server is stopped. */
  listen(): Bun.Server<undefined> {
    return Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: this.handle })
  }

  request(method: string, path: string, { as, body, headers = {} }: Sending = {}): Promise<Response> {
    const sent = encode(body)
    const all = new Headers({ ...sent.headers, ...(as && { authorization: as.authorization }), ...headers })
    return this.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: all,
        ...(sent.body !== undefined && { body: sent.body }),
      }),
    )
  }

  handle = async (request: Request) => await this.app.fetch(request)

  get = (path: string, sending?: Sending) => this.request('GET', path, sending)
  post = (path: string, sending?: Sending) => this.request('POST', path, sending)
  put = (path: string, sending?: Sending) => this.request('PUT', path, sending)
  delete = (path: string, sending?: Sending) => this.request('DELETE', path, sending)
}

export interface Account {
  readonly id: number
  readonly email: string
  readonly authorization: string
}

/** Objects are sent as JSON, URLSearchParams and FormData as forms, and text as is. */
export interface Sending {
  readonly as?: Account
  readonly body?: object | string
  readonly headers?: Record<string, string>
}

function encode(body: Sending['body']): { body?: Bun.BodyInit; headers?: Record<string, string> } {
  if (body === undefined) return {}
  if (typeof body === 'string' || body instanceof FormData || body instanceof URLSearchParams) return { body }
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

export const basic = (email: string, password: string) =>
  `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`
