import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { JOB_FIELDS } from '../helpers/fixtures.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { isLong, PATIENCE, report } from './duration.ts'
import { AUTHORIZATION } from './load.ts'
import { PreparedServer } from './preparedServer.ts'

const MEBIBYTE = 2 ** 20
const LARGEST_LOGO = 5 * MEBIBYTE
/** The most memory of all uploads: half of the body budget, and what the server buffers of waiting ones. */
const GROWTH_AT_MOST = 200 * MEBIBYTE

let server: PreparedServer

beforeAll(async () => {
  server = await PreparedServer.start()
})
afterAll(() => server.stop())

/** Posts a job with the largest logo. */
async function postWithLogo(): Promise<number> {
  const picture = png(4, 4)
  const logo = logoFile(Buffer.concat([picture, new Uint8Array(LARGEST_LOGO - picture.length)]))
  const body = formOf({ ...JOB_FIELDS, logo })
  const headers = { authorization: AUTHORIZATION }
  const response = await fetch(`${server.url}/jobs.json`, { method: 'POST', headers, body })
  await response.text()
  return response.status
}

/** Starts an upload that never ends. */
function beginUpload(): Promise<Socket> {
  const lines = [
    'POST /jobs.json HTTP/1.1',
    'host: board',
    `authorization: ${AUTHORIZATION}`,
    'content-type: multipart/form-data; boundary=b',
    `content-length: ${8 * MEBIBYTE}`,
    '\r\n',
  ]
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(lines.join('\r\n'))
      socket.write(Buffer.alloc(8 * MEBIBYTE - 1, 'x'))
      resolve(socket)
    })
    socket.on('error', reject)
  })
}

test.if(isLong)(
  '20 uploads of 5 MB at once are all accepted',
  async () => {
    const before = server.memory
    const statuses = await Promise.all(Array.from({ length: 20 }, postWithLogo))
    const growth = server.memory - before
    report(`20 uploads of 5 MB at once: ${Math.round(growth / MEBIBYTE)} MiB`)
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect(growth).toBeLessThan(GROWTH_AT_MOST)
  },
  PATIENCE,
)

test.if(isLong)(
  '80 uploads that never end use little memory, free it, and do not block reads',
  async () => {
    const before = server.memory
    const sockets = await Promise.all(Array.from({ length: 80 }, beginUpload))
    for (const socket of sockets) socket.on('error', () => {})
    await Bun.sleep(3000)
    const growth = server.memory - before
    expect(growth).toBeLessThan(GROWTH_AT_MOST)
    expect((await fetch(`${server.url}/jobs.json`)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await Bun.sleep(2000)
    const left = server.memory - before
    report(
      `80 uploads without an end: ${Math.round(growth / MEBIBYTE)} MiB, ${Math.round(left / MEBIBYTE)} after`,
    )
    expect(left).toBeLessThan(GROWTH_AT_MOST / 2)
    expect(await postWithLogo()).toBe(201)
  },
  PATIENCE,
)
