import { connect, type TLSSocket } from 'node:tls'

/** A client that reuses its connection until the server says that it closes it, and never repeats a request. */
export class KeepAliveClient {
  private socket: TLSSocket | undefined

  constructor(private readonly port: number) {}

  /** Sends a GET request and returns its status. @throws Error if the connection is lost */
  async get(path: string): Promise<number> {
    const socket = (this.socket ??= await this.open())
    const response = Promise.withResolvers<string>()
    let received = ''
    const read = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const end = received.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
      if (end !== -1 && received.length >= end + 4 + length) response.resolve(received)
    }
    const fail = () => response.reject(new Error(`the connection was lost after ${received.length} bytes`))
    socket.on('data', read).on('close', fail)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    const text = await response.promise.finally(() => socket.off('data', read).off('close', fail))
    if (/^connection: close/im.test(text)) this.close()
    return Number(text.split(' ')[1])
  }

  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  private async open(): Promise<TLSSocket> {
    const socket = connect({ port: this.port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('error', () => {})
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('close', reject))
    return socket
  }
}

/** Returns the serial number of the certificate that a server uses for new connections. */
export async function servedSerial(port: number, servername = 'localhost'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}
