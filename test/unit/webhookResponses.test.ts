import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { Receiver } from '../../src/webhooks/receiver.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../helpers/tls.ts'

const BODY = new TextEncoder().encode('{}')
const TIMEOUT = 150
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a server that does something with each connection once a request has come, and returns its port. */
async function serve(onRequest: (socket: Socket) => void): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => onRequest(socket))
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as { port: number }).port // a TCP server has one
}

const send = async (onRequest: (socket: Socket) => void) => {
  const url = `http://127.0.0.1:${await serve(onRequest)}/`
  const receiver = new Receiver({ allowsPrivate: true, timeout: TIMEOUT })
  return await receiver.send(url, {}, BODY, new AbortController().signal)
}

/** Writes a text again and again until the client closes the connection. */
function drip(socket: Socket, text: string) {
  const timer = setInterval(() => socket.write(text), 20)
  socket.on('close', () => clearInterval(timer))
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n'
const LATE = 'no complete response within 0.15 seconds'
const CUT = 'the connection was closed before the response was complete'

describe('a receiver that', () => {
  const faults: Record<string, readonly [(socket: Socket) => void, string]> = {
    'never responds': [() => {}, LATE],
    'sends its headers slowly': [
      socket => {
        socket.write('HTTP/1.1 200 OK\r\n')
        drip(socket, 'X-More: 1\r\n')
      },
      LATE,
    ],
    'sends its body slowly': [
      socket => {
        socket.write(HEAD)
        drip(socket, '.')
      },
      LATE,
    ],
    'closes the connection at once': [socket => socket.end(), CUT],
    'closes it within the headers': [socket => socket.end('HTTP/1.1 200 OK\r\nCont'), CUT],
    'closes it within the body': [socket => socket.end(`${HEAD}half`), CUT],
    'sends large headers': [
      socket => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(2 ** 21)}\r\n\r\n`),
      'the headers of the response are too large',
    ],
    'speaks something else': [socket => socket.end('220 mail.example.com\r\n'), 'the response is not HTTP'],
  }
  test.each(Object.entries(faults))('%s has failed', async (_, [onRequest, error]) => {
    expect(await send(onRequest)).toEqual({ status: null, error, retryAfter: null })
  })

  test('sends a gigabyte is not read to its end', async () => {
    let written = 0
    const closed = Promise.withResolvers<void>()
    const answer = await send(socket => {
      const piece = Buffer.alloc(2 ** 18)
      const write = () => {
        while (!socket.destroyed && socket.write(piece)) written += piece.length
      }
      socket.write(HEAD)
      socket.on('drain', write).on('close', closed.resolve)
      write()
    })
    expect(answer).toEqual({ status: 200, error: undefined, retryAfter: null })
    await closed.promise
    expect(written).toBeLessThan(2 ** 26)
  })

  test('redirects has failed, and nothing follows', async () => {
    let followed = false
    const other = await serve(() => (followed = true))
    const answer = await send(socket =>
      socket.end(`HTTP/1.1 307 Found\r\nLocation: http://127.0.0.1:${other}/\r\nContent-Length: 0\r\n\r\n`),
    )
    expect(answer.error).toBe('the receiver responded with status 307; redirects are not followed')
    expect(followed).toBeFalse()
  })

  test('is not there has failed', async () => {
    const port = await serve(() => {})
    servers.pop()?.close()
    const { signal } = new AbortController()
    const receiver = new Receiver({ allowsPrivate: true })
    const answer = await receiver.send(`http://127.0.0.1:${port}/`, {}, BODY, signal)
    expect(answer.error).toBe('the connection was refused')
    expect((await receiver.send('https://nowhere.invalid/', {}, BODY, signal)).error).toBe(
      "the host wasn't found",
    )
  })
})

describe('a message', () => {
  test('goes to the address that was checked, whatever the name leads to later', async () => {
    let requests = 0
    const port = await serve(() => requests++)
    const resolved: string[] = []
    const resolve = (host: string) => {
      resolved.push(host)
      return Promise.resolve(['127.0.0.1'])
    }
    const { signal } = new AbortController()
    const strict = new Receiver({ allowsPrivate: false, resolve })
    const answer = await strict.send(`https://rebound.example:${port}/`, {}, BODY, signal)
    expect(answer.error).toStartWith('the URL must lead to the internet')
    expect([requests, resolved]).toEqual([0, ['rebound.example']])
  })

  test('is sent to the host of the URL, whose certificate is checked', async () => {
    const hosts: (string | null)[] = []
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { cert: CERTIFICATE, key: PRIVATE_KEY },
      fetch: request => {
        hosts.push(request.headers.get('host'))
        return new Response()
      },
    })
    const resolve = () => Promise.resolve(['127.0.0.1'])
    const trusting = new Receiver({ allowsPrivate: true, resolve, ca: CERTIFICATE })
    const { signal } = new AbortController()
    const post = async (host: string, receiver = trusting) =>
      (await receiver.send(`https://${host}:${server.port}/`, {}, BODY, signal)).error
    expect(await post('localhost')).toBeUndefined()
    expect(await post('other.example')).toBe('the certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)')
    expect(await post('localhost', new Receiver({ allowsPrivate: true, resolve }))).toStartWith(
      'the certificate is not valid',
    )
    expect(hosts).toEqual([`localhost:${server.port}`])
    await server.stop(true)
  })
})
