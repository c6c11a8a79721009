import { connect, type Socket } from 'node:net'
import { createApp } from '../../src/server/app.ts'
import { Listener } from '../../src/server/listener.ts'
import type { TestBoard } from './board.ts'

/** Makes a test's board listen on a free local port. */
export function listen({ board }: TestBoard): Listener {
  const listener = new Listener({ host: '127.0.0.1', port: 0 })
  listener.serve(createApp(board).fetch)
  return listener
}

/** A response as received, one character for each byte. */
export interface RawResponse {
  readonly status: number
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A connection that sends bytes exactly as given, and parses responses. */
export class RawConnection {
  private received = ''
  private ended = false

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1')
    socket.on('data', text => (this.received += String(text)))
    socket.on('close', () => (this.ended = true))
    socket.on('error', () => (this.ended = true))
  }

  /** @param reads false for a client that never reads responses */
  static async open(port: number, { reads = true } = {}): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    const wire = new RawConnection(socket)
    if (!reads) socket.pause()
    return wire
  }

  /** Sends lines with their line ends, and a body after them. */
  send(lines: readonly string[], body: string | Uint8Array = ''): void {
    this.socket.write(Buffer.from([...lines, '', ''].join('\r\n'), 'latin1'))
    if (body.length > 0) this.write(body)
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** Reads the next response, with the body that its headers announce, except for HEAD. */
  async readResponse({ head = false } = {}): Promise<RawResponse> {
    await this.until(() => this.received.includes('\r\n\r\n'))
    const end = this.received.indexOf('\r\n\r\n')
    const [first = '', ...lines] = this.received.slice(0, end).split('\r\n')
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    this.received = this.received.slice(end + 4)
    const isInPieces = headers.get('transfer-encoding') === 'chunked'
    const length = Number(headers.get('content-length') ?? 0)
    const body = head ? '' : isInPieces ? await this.readChunks() : await this.readBytes(length)
    return { status: Number(first.split(' ')[1]), headers, body }
  }

  private async readBytes(length: number): Promise<string> {
    await this.until(() => this.received.length >= length)
    const taken = this.received.slice(0, length)
    this.received = this.received.slice(length)
    return taken
  }

  /** Reads a chunked body. */
  private async readChunks(): Promise<string> {
    let body = ''
    for (;;) {
      await this.until(() => this.received.includes('\r\n'))
      const line = this.received.indexOf('\r\n')
      const length = Number.parseInt(await this.readBytes(line + 2), 16)
      const piece = await this.readBytes(length + 2)
      if (length === 0) return body
      body += piece.slice(0, length)
    }
  }

  /** Returns received bytes that have not been parsed. */
  get rest(): string {
    return this.received
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    await this.until(() => false).catch(() => undefined)
  }

  close(): void {
    this.socket.destroy()
  }

  private async until(isSo: () => boolean): Promise<void> {
    for (let waited = 0; !isSo(); waited += 2) {
      if (this.ended) throw new Error(`the connection was closed after ${JSON.stringify(this.received)}`)
      if (waited > 10_000) throw new Error(`nothing more was heard after ${JSON.stringify(this.received)}`)
      await Bun.sleep(2)
    }
  }
}
