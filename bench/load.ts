import { connect, type Socket } from 'bun'

/** Requests that several connections send again and again. */
export interface Load {
  readonly port: number
  readonly connections: number
  /** In milliseconds. */
  readonly duration: number
  /** Complete requests, sent in turn. */
  readonly requests: readonly string[]
  /** The pause of a connection after a response, in milliseconds. */
  readonly rest?: number
}

/** The result of a load; times are in milliseconds. */
export interface Outcome {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Status → number of responses. */
  readonly statuses: Readonly<Record<string, number>>
}

const HEAD_END = '\r\n\r\n'
/** The end of a chunked response; JSON never contains it. */
const LAST_CHUNK = '0\r\n\r\n'
const BODILESS = new Set([204, 304])

/** A connection that sends each request after the complete response to the last one. */
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

  /** Finds the end of a chunked response, whose length is unknown. */
  private readEnd(chunk: Buffer) {
    this.tail = (this.tail + chunk.subarray(-LAST_CHUNK.length).toString('latin1')).slice(-LAST_CHUNK.length)
    this.missing = this.tail === LAST_CHUNK ? 0 : 1
  }

  private readHead(chunk: Buffer) {
    // in Latin-1, a character is a byte
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

/** Returns the median of some numbers. */
export const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Runs a load on a server of this machine. */
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

/** Runs a load from another process, so that load and server share only the machine. */
export async function runLoadProcess(options: Load): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdin: new Blob([JSON.stringify(options)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return (await new Response(child.stdout).json()) as Outcome // its only output
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

// as a program: reads a load from standard input, and prints its outcome
if (import.meta.main) {
  const outcome = await load(await Bun.stdin.json())
  await Bun.write(Bun.stdout, JSON.stringify(outcome))
}
