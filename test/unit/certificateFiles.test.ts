import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { textFile } from '../../src/config/fileValues.ts'
import { Log } from '../../src/http/log.ts'
import { CertificateFiles } from '../../src/tls/certificateFiles.ts'
import { CertificateStatus } from '../../src/tls/certificateStatus.ts'
import { type KeyPair, validityOf } from '../../src/tls/keyPair.ts'
import { START } from '../helpers/board.ts'
import { temporaryFiles } from '../helpers/files.ts'
import {
  CERTIFICATE,
  EXPIRED_CERTIFICATE,
  NEW_CERTIFICATE,
  NEW_PRIVATE_KEY,
  PRIVATE_KEY,
} from '../helpers/tls.ts'

const { folder, file } = temporaryFiles()
const YEAR_2030 = Date.UTC(2030, 0, 1)
const NEW = { cert: NEW_CERTIFICATE, key: NEW_PRIVATE_KEY }

let used: KeyPair[]
let logged: string[]
let status: CertificateStatus
let files: CertificateFiles
let isRefused: boolean

const write = ({ cert, key }: KeyPair) => ({ cert: file('cert', cert), key: file('key', key) })

beforeEach(() => {
  used = []
  logged = []
  isRefused = false
  status = new CertificateStatus()
  const paths = write({ cert: CERTIFICATE, key: PRIVATE_KEY })
  const read = (path: string) => {
    const text = textFile(path)
    if (!('path' in text)) throw new Error(text.sentence)
    return text
  }
  const log = new Log({ write: text => void logged.push(text), flush: () => {} }, 'json', 'info', () => START)
  files = new CertificateFiles({
    cert: read(paths.cert),
    key: read(paths.key),
    clock: () => YEAR_2030,
    log: Object.assign(log, { warn: (_: string, { cause = '' } = {}) => logged.push(cause) }),
    status,
    use: async pair => {
      await Promise.resolve()
      if (isRefused) throw new Error('no')
      used.push(pair)
    },
  })
})

afterEach(() => files.close())

test('files that stay the same are not used again', async () => {
  await files.check()
  expect({ used, logged, ...status }).toEqual({
    used: [],
    logged: [],
    expiresAt: validityOf(CERTIFICATE).until,
    problem: undefined,
    retryAt: undefined,
  })
})

test('changed files are used once', async () => {
  write(NEW)
  await Promise.all([files.check(), files.check()])
  expect(used).toEqual([NEW])
  expect(status.expiresAt).toBe(validityOf(NEW_CERTIFICATE).until)
})

test.each<[string, () => void]>([
  ["--tls-key doesn't match the certificate of --tls-cert.", () => write({ ...NEW, key: PRIVATE_KEY })],
  ['--tls-cert must name a PEM file with a certificate.', () => write({ ...NEW, cert: 'half' })],
  ["--tls-key can't be read: no such file.", () => rmSync(join(folder, 'key'))],
  ['The certificate expired on 2026-11-22.', () => write({ ...NEW, cert: EXPIRED_CERTIFICATE })],
])('files that change are refused once, and used when they are correct: %s', async (problem, change) => {
  change()
  await files.check()
  await files.check()
  expect({ used, logged, problem: status.problem }).toEqual({ used: [], logged: [problem], problem })
  write(NEW)
  await files.check()
  expect({ used, problem: status.problem }).toEqual({ used: [NEW], problem: undefined })
})

test('a pair that the listener refuses is tried again', async () => {
  write(NEW)
  isRefused = true
  await files.check()
  expect(status.problem).toBe('no')
  isRefused = false
  await files.check()
  expect(used).toEqual([NEW])
})
