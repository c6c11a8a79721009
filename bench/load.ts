import { connect, type Socket } from 'bun'

/** What is to be sent, over and over, by a number of connections at once. */
export interface Load {
  readonly port: number
  readonly connections: number
  /** In milliseconds. */
  readonly duration: number
  /** Whole requests, sent in turn. */
  readonly requests: readonly string[]
  /** In milliseconds: how long a connection rests after an answer. */
  readonly rest?: number
}

/** What came of it; times in milliseconds. */
export interface Outcome {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Status → how often. */
  readonly statuses: Readonly<Record<string, number>>
}

const HEAD_END = '\r\n\r\n'
/** What the chunks of an answer end with; nothing within JSON does. */
const LAST_CHUNK = '0\r\n\r\n'
const BODILESS = new Set([204, 304])

/** One connection: sends the next request once the answer to the one before is whole. */
class Client {
  private head = ''
  private missing = 0
  private sentAt = 0
  private status = 0
  private isChunked = false
  private tail = ''

  constructor(
    private readonly next: () => Uint8Array | undefined,
    private readonly done: (status: number, ms: number) => void,
    private readonly ended: () => void,
    private readonly rest: number,
  ) {}

  send(socket: Socket): void {
    const request = this.next()
    if (!request) {
      socket.end()
      this.ended()
      return
    }
    this.sentAt = performance.now()
    socket.write(request)
  }

  receive(socket: Socket, chunk: Buffer): void {
    if (this.isChunked) this.readEnd(chunk)
    else if (this.missing > 0) this.missing -= chunk.length
    else this.readHead(chunk)
    if (this.missing > 0 || this.status === 0) return
    this.isChunked = false
    this.tail = ''
    this.done(this.status, performance.now() - this.sentAt)
    this.status = 0
    this.missing = 0
    if (this.rest === 0) this.send(socket)
    else setTimeout(() => this.send(socket), this.rest)
  }

  /** How long an answer in chunks is shows at its end only. */
  private readEnd(chunk: Buffer) {
    this.tail = (this.tail + chunk.subarray(-LAST_CHUNK.length).toString('latin1')).slice(-LAST_CHUNK.length)
    this.missing = this.tail === LAST_CHUNK ? 0 : 1
  }

  private readHead(chunk: Buffer) {
    // as Latin-1 a character is a byte
    this.head += chunk.toString('latin1')
    const end = this.head.indexOf(HEAD_END)
    if (end === -1) return
    this.status = Number(this.head.slice(9, 12))
    this.isChunked = /\r\ntransfer-encoding: chunked\r/i.test(this.head.slice(0, end + 2))
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.head)?.[1] ?? 0)
    const body = BODILESS.has(this.status) ? 0 : length
    if (this.isChunked) this.readEnd(chunk)
    else this.missing = body - (this.head.length - end - HEAD_END.length)
    this.head = ''
  }
}

/** Loads a server on this machine for a while. */
export async function load({ port, connections, duration, requests, rest = 0 }: Load): Promise<Outcome> {
  const bytes = requests.map(request => Buffer.from(request))
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const start = performance.now()
  let sent = 0
  const next = () => (performance.now() - start < duration ? bytes[sent++ % bytes.length] : undefined)
  const done = (status: number, ms: number) => {
    times.push(ms)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: connections }, () => open(port, next, done, rest)))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const seconds = (performance.now() - start) / 1000
  return { requests: times.length, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), statuses }
}

/** Loads a server from a process of its own, so that the two share nothing but the machine. */
export async function loadApart(wanted: Load): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify(wanted)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return (await new Response(child.stdout).json()) as Outcome // it prints one
}

async function open(port: number, next: Client['next'], done: Client['done'], rest: number): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const client = new Client(next, done, ended.resolve, rest)
  await connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: socket => client.send(socket),
      data: (socket, chunk) => client.receive(socket, chunk),
      error: (_, error) => ended.reject(error),
      close: () => ended.resolve(),
    },
  })
  await ended.promise
}

// as a program of its own: a load on standard input, its outcome on standard output
if (import.meta.main) {
  const outcome = await load(await Bun.stdin.json())
  await Bun.write(Bun.stdout, JSON.stringify(outcome))
}
