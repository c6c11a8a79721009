import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addAccount } from '../../src/accounts/users.ts'
import type { Role } from '../../src/base/caller.ts'
import { Board } from '../../src/board.ts'
import { readConfig } from '../../src/config/config.ts'
import { Log } from '../../src/http/log.ts'
import { createApp } from '../../src/server/app.ts'

export const BASE_URL = 'https://board.example.com'
export const START = Date.UTC(2026, 0, 10, 18, 21, 59)
export const PASSWORD = 'correct horse'

/** Made with as little work as argon2 allows, so that signing in takes a tenth of a millisecond and not twenty. */
const PASSWORD_HASH = Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

/** A board over a folder of its own, with a clock that a test moves, answering without a socket. */
export class TestBoard {
  private constructor(
    readonly board: Board,
    readonly folder: string,
    readonly clock: { now: number },
    /** What was logged, a line each. */
    readonly logged: string[],
    private readonly app: { fetch(request: Request): Response | Promise<Response> },
  ) {}

  static async open(...flags: string[]): Promise<TestBoard> {
    const folder = await mkdtemp(join(tmpdir(), 'corkboard-'))
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

  /** Closes the board and opens its data again. */
  async reopen(...flags: string[]): Promise<TestBoard> {
    await this.board.close()
    return await this.again(...flags)
  }

  /** Opens the data of a board that is closed. */
  async again(...flags: string[]): Promise<TestBoard> {
    return await TestBoard.openAt(this.folder, this.clock, flags)
  }

  async close(): Promise<void> {
    await this.board.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Makes an account whose password is PASSWORD, and gives what it signs in with. */
  async account(email: string, role: Role = 'user'): Promise<Account> {
    const { store, clock } = this.board
    const user = await addAccount(store, clock, { email, role, passwordHash: await PASSWORD_HASH })
    return { id: user.id, email, authorization: basic(email, PASSWORD) }
  }

  /** Serves the board on a free port, until what is given is stopped. */
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

/** A body is sent as what it is: an object as JSON, URLSearchParams and FormData as forms, a text as it stands. */
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
