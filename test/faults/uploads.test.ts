import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JOB_FIELDS } from '../helpers/fixtures.ts'
import { png } from '../helpers/pictures.ts'
import type { Corkboard } from '../helpers/process.ts'
import { isLong, PATIENCE, tell } from './duration.ts'
import { AUTHORIZATION, Load, serve } from './load.ts'
import { seeded } from './seeded.ts'

const MEBIBYTE = 2 ** 20
const LARGEST_LOGO = 5 * MEBIBYTE
/** The most memory of all uploads: half of the body budget, and what the server buffers of waiting ones. */
const GROWTH_AT_MOST = 200 * MEBIBYTE

let folder: string
let server: Corkboard
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-uploads-'))
  server = serve(folder)
  url = await server.url()
  await new Load(url, seeded(1)).prepare()
})

afterAll(async () => {
  await server.end('SIGTERM')
  await rm(folder, { recursive: true })
})

const memory = () =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1])

/** Posts a job with the largest logo. */
async function postWithLogo(): Promise<number> {
  const picture = png(4, 4)
  const body = new FormData()
  for (const [name, value] of Object.entries(JOB_FIELDS)) body.set(`job[${name}]`, String(value))
  body.set('job[logo]', new Blob([picture, new Uint8Array(LARGEST_LOGO - picture.length)]), 'logo.png')
  const headers = { authorization: AUTHORIZATION }
  const answer = await fetch(`${url}/jobs.json`, { method: 'POST', headers, body })
  await answer.text()
  return answer.status
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
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(lines.join('\r\n'))
      socket.write(Buffer.alloc(8 * MEBIBYTE - 1, 'x'))
      resolve(socket)
    })
    socket.on('error', reject)
  })
}

test.if(isLong)(
  '20 uploads of 5 MB at once are all taken',
  async () => {
    const before = memory()
    const statuses = await Promise.all(Array.from({ length: 20 }, postWithLogo))
    const growth = memory() - before
    tell(`20 uploads of 5 MB at once: ${Math.round(growth / MEBIBYTE)} MiB`)
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect(growth).toBeLessThan(GROWTH_AT_MOST)
  },
  PATIENCE,
)

test.if(isLong)(
  '80 uploads that never end take little memory, give it back, and keep nobody from reading',
  async () => {
    const before = memory()
    const sockets = await Promise.all(Array.from({ length: 80 }, beginUpload))
    for (const socket of sockets) socket.on('error', () => {})
    await Bun.sleep(3000)
    const growth = memory() - before
    expect(growth).toBeLessThan(GROWTH_AT_MOST)
    expect((await fetch(`${url}/jobs.json`)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await Bun.sleep(2000)
    const left = memory() - before
    tell(
      `80 uploads without an end: ${Math.round(growth / MEBIBYTE)} MiB, ${Math.round(left / MEBIBYTE)} after`,
    )
    expect(left).toBeLessThan(GROWTH_AT_MOST / 2)
    expect(await postWithLogo()).toBe(201)
  },
  PATIENCE,
)
