import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../../src/base/clock.ts'
import { nameAt } from '../../src/features/backups/names.ts'
import { RemoteBackups } from '../../src/features/backups/remote.ts'
import { restoreFromS3 } from '../../src/features/backups/restoreSource.ts'
import { S3Server } from '../helpers/s3Server.ts'

const MEBIBYTE = 2 ** 20
const NAME = 'corkboard-2026-01-10T03-00-00Z.tar'
const OLDER = 'corkboard-2026-01-09T03-00-00Z.tar'
const RIGHT_KEY = { id: 'AKTEST', secret: 'test-secret' }

let folder: string
let server: S3Server
/** A backup of two parts. */
let large: string
let small: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-s3-'))
  server = new S3Server(join(folder, 's3'))
  large = join(folder, 'large.tar')
  small = join(folder, 'small.tar')
  writeFileSync(large, randomBytes(10 * MEBIBYTE))
  writeFileSync(small, 'a small backup')
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Setting {
  readonly key?: { id: string; secret: string }
  readonly bucket?: string
  readonly file?: string
  readonly endpoint?: string
  readonly backupKey?: Buffer
}

function backups({
  key = RIGHT_KEY,
  bucket = 'backups',
  file = '',
  endpoint = server.endpoint,
  backupKey,
}: Setting = {}) {
  const options = { s3Endpoint: endpoint, s3KeyFile: key, backupKeyFile: backupKey }
  return new RemoteBackups({ bucket, prefix: 'jobs/board/', file }, options, 1)
}

const failureOf = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message)

async function downloaded(remote: RemoteBackups): Promise<Buffer> {
  const path = join(folder, `downloaded-${crypto.randomUUID()}`)
  await remote.download(await remote.find(), path)
  return readFileSync(path)
}

describe('an uploaded backup', () => {
  test('is the same when it is downloaded, and is listed with its time', async () => {
    expect(await backups().upload(large, NAME)).toBe(`s3://backups/jobs/board/${NAME}`)
    await backups().upload(small, OLDER)
    expect(await backups().list()).toEqual([
      { name: `jobs/board/${OLDER}`, size: 14, time: Date.UTC(2026, 0, 9, 3) },
      { name: `jobs/board/${NAME}`, size: 10 * MEBIBYTE, time: Date.UTC(2026, 0, 10, 3) },
    ])
    expect((await downloaded(backups())).equals(readFileSync(large))).toBeTrue()
    expect(String(await downloaded(backups({ file: OLDER })))).toBe('a small backup')
    expect(server.openUploads).toBe(0)
  })

  test('can be encrypted, and then needs its key', async () => {
    const backupKey = randomBytes(32)
    await backups({ backupKey }).upload(large, NAME)
    expect(server.objects).toEqual([`jobs/board/${NAME}.enc`])
    const stored = readFileSync(server.pathOf(`jobs/board/${NAME}.enc`))
    expect(stored.includes(readFileSync(large).subarray(0, 32))).toBeFalse()
    expect((await downloaded(backups({ backupKey }))).equals(readFileSync(large))).toBeTrue()
    expect(await failureOf(downloaded(backups()))).toBe(
      `s3://backups/jobs/board/${NAME}.enc is encrypted: name its key with --backup-key-file.`,
    )
    expect(await failureOf(downloaded(backups({ backupKey: randomBytes(32) })))).toContain(
      "can't be decrypted",
    )
    writeFileSync(server.pathOf(`jobs/board/${NAME}.enc`), readFileSync(large))
    expect(await failureOf(downloaded(backups({ backupKey })))).toContain("isn't an encrypted backup")
  })

  test('is read by another client of S3, and lists of several pages are whole', async () => {
    await backups().upload(small, NAME)
    const [accessKeyId, secretAccessKey] = [RIGHT_KEY.id, RIGHT_KEY.secret]
    const other = new Bun.S3Client({
      accessKeyId,
      secretAccessKey,
      bucket: 'backups',
      endpoint: server.endpoint,
    })
    expect(await other.file(`jobs/board/${NAME}`).text()).toBe('a small backup')
    for (let day = 1; day <= 9; day++) await other.write(`jobs/board/${nameAt(day * DAY)}`, 'x')
    await other.write('jobs/board/notes.txt', 'x')
    expect((await backups().list()).map(({ time }) => time / DAY)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 20463.125,
    ])
    expect(await backups().prune(0)).toBe(2)
    expect(server.objects).toContain('jobs/board/notes.txt')
  })
})

describe('a fault', () => {
  /** Expects an upload to fail with this sentence, and an older backup to stay the newest one. */
  async function expectFailure(remote: RemoteBackups, sentence: string, path = large) {
    expect(await failureOf(remote.upload(path, NAME))).toBe(sentence)
    expect(server.objects.filter(name => name.includes(NAME))).toEqual([])
    expect(server.openUploads).toBe(0)
  }
  const host = () => new URL(server.endpoint).host
  const isPart = (request: Request, number: number) => request.url.includes(`partNumber=${number}&`)

  test('of a download is told, and restores nothing', async () => {
    await backups().upload(small, NAME)
    server.fault = ({ headers }) => (headers.has('range') ? 'SlowDown' : undefined)
    const options = { s3Endpoint: server.endpoint, s3KeyFile: RIGHT_KEY, backupKeyFile: undefined }
    const location = { bucket: 'backups', prefix: 'jobs/board/', file: '' }
    const restored = join(folder, 'restored')
    expect(await failureOf(restoreFromS3(location, restored, options, 1))).toBe(
      `The S3 server ${host()} failed: it reports status 503, SlowDown, Refused by the test.`,
    )
    expect(readdirSync(restored)).toEqual([])
    server.fault = () => new Response('<html>Please sign in</html>')
    expect(await failureOf(backups().list())).toContain('is not an S3 server')
  })

  test('that passes is survived: 503, 500 and 429, at each kind of request', async () => {
    const codes = ['SlowDown', 'InternalError']
    server.fault = (_, number) => (number % 3 === 0 ? undefined : codes[number % 2])
    await backups().upload(large, NAME)
    expect((await downloaded(backups())).equals(readFileSync(large))).toBeTrue()
    let throttled = 0
    server.fault = () => (throttled++ < 2 ? new Response('', { status: 429 }) : undefined)
    expect(await backups().list()).toHaveLength(1)
  })

  test('that stays ends the upload, whose parts are removed', async () => {
    await backups().upload(small, OLDER)
    server.fault = request => (isPart(request, 2) ? 'SlowDown' : undefined)
    await expectFailure(
      backups(),
      `The S3 server ${host()} failed: it reports status 503, SlowDown, Refused by the test.`,
    )
    server.fault = request => (isPart(request, 2) ? 'QuotaExceeded' : undefined)
    await expectFailure(backups(), `The S3 server ${host()} failed: the storage is full.`)
    server.fault = request => (isPart(request, 1) ? new Response('', { status: 507 }) : undefined)
    await expectFailure(backups(), `The S3 server ${host()} failed: the storage is full.`)
    // an error after the status of a success
    server.fault = ({ method, url }) =>
      method === 'POST' && url.includes('uploadId')
        ? new Response('<Error><Code>InternalError</Code><Message>late</Message></Error>')
        : undefined
    await expectFailure(
      backups(),
      `The S3 server ${host()} failed: it reports status 200, InternalError, late.`,
    )
    expect(String(await downloaded(backups()))).toBe('a small backup')
  })

  test('of the credentials, the bucket or the address is told at once', async () => {
    const wrong = { id: 'AKTEST', secret: 'wrong-secret' }
    const failed = `The S3 server ${host()} failed`
    await expectFailure(backups({ key: wrong }), `${failed}: the secret in --s3-key-file is wrong.`)
    await expectFailure(
      backups({ key: { ...RIGHT_KEY, id: 'AKOTHER' } }),
      `${failed}: the server doesn't know the key id in --s3-key-file.`,
    )
    expect(server.requests).toHaveLength(2)
    await expectFailure(backups({ bucket: 'gone' }), `${failed}: the bucket "gone" doesn't exist.`, small)
    expect(await failureOf(backups({ bucket: 'gone' }).list())).toContain("doesn't exist")
    expect(await failureOf(downloaded(backups({ file: NAME })))).toBe(
      `There is no backup at s3://backups/jobs/board/${NAME}.`,
    )
    expect(await failureOf(downloaded(backups({ file: NAME, key: wrong })))).toBe(
      `${failed}: the key in --s3-key-file is wrong, or not allowed to do this.`,
    )
    expect(await failureOf(downloaded(backups()))).toBe('There is no backup at s3://backups/jobs/board/.')
    const { endpoint } = server
    await server.stop()
    expect(await failureOf(backups({ endpoint }).upload(small, NAME))).toBe(
      `${failed}: it can't be reached: nothing listens there.`,
    )
  })

  test('of the region is corrected: the server names its own', async () => {
    const region = '<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-9</Region></Error>'
    server.fault = ({ headers }) =>
      headers.get('authorization')?.includes('/eu-west-9/') === true
        ? undefined
        : new Response(region, { status: 400 })
    await backups().upload(small, NAME)
    expect(String(await downloaded(backups()))).toBe('a small backup')
  })

  test('in what is stored is found: the backup is removed', async () => {
    server.fault = request =>
      request.headers.get('range') === `bytes=0-${4 * MEBIBYTE - 1}`
        ? new Response(randomBytes(4 * MEBIBYTE), { status: 206 })
        : undefined
    await expectFailure(
      backups(),
      `s3://backups/jobs/board/${NAME} was not stored as it was sent, and was removed.`,
    )
  })

  test('of the connection is survived in the middle of an upload and of a download', async () => {
    let cuts = 0
    // passes everything on, but closes each of the first connections after a while
    const proxy = createServer(socket => {
      const target = connect(Number(server.server.port), '127.0.0.1')
      let passed = 0
      const follow = (from: typeof socket, to: typeof socket) => {
        from.on('data', chunk => {
          passed += chunk.length
          if (cuts < 2 && passed > 3 * MEBIBYTE) {
            if (!socket.destroyed) cuts++
            socket.destroy()
            target.destroy()
          } else to.write(chunk)
        })
        from.on('close', () => to.end())
        from.on('error', () => to.destroy())
      }
      follow(socket, target)
      follow(target, socket)
    })
    await new Promise<void>(resolve => void proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as { port: number }
    const endpoint = `http://127.0.0.1:${port}`
    await backups({ endpoint }).upload(large, NAME)
    expect(cuts).toBe(2)
    cuts = 0
    expect((await downloaded(backups({ endpoint }))).equals(readFileSync(large))).toBeTrue()
    expect(cuts).toBe(2)
    proxy.close()
  })

  test('that kills an upload leaves parts, which are removed a day later', async () => {
    // nobody aborts the upload either
    server.fault = ({ method, url }) =>
      method === 'DELETE' || url.includes('partNumber=2&') ? 'AccessDenied' : undefined
    expect(await failureOf(backups().upload(large, NAME))).toContain("isn't allowed to do this")
    server.fault = () => undefined
    expect(server.openUploads).toBe(1)
    const now = Date.now()
    await backups().prune(now)
    expect(server.openUploads).toBe(1)
    await backups().prune(now + 2 * DAY)
    expect(server.openUploads).toBe(0)
  })

  test('of a stopped upload leaves nothing', async () => {
    const stopping = new AbortController()
    server.fault = request => {
      if (isPart(request, 2)) stopping.abort(new Error('stopped'))
      return undefined
    }
    expect(await failureOf(backups().upload(large, NAME, stopping.signal))).toBe('stopped')
    expect([server.objects, server.openUploads]).toEqual([[], 0])
    expect(existsSync(large)).toBeTrue()
  })
})
