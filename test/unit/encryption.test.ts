import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { Chunks } from '../../src/features/backups/chunks.ts'
import {
  CHUNK_SIZE,
  decrypted,
  encrypted,
  HEADER_SIZE,
  isEncrypted,
} from '../../src/features/backups/encryption.ts'

const KEY = randomBytes(32)
/** In bytes, an encrypted chunk with its tag. */
const SEALED = CHUNK_SIZE + 16

async function* inChunks(bytes: Uint8Array, size = 100_000): Chunks {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

async function joined(chunks: Chunks): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

const seal = (bytes: Uint8Array, key = KEY) => joined(encrypted(inChunks(bytes), key))
const unseal = (bytes: Uint8Array, key: Uint8Array = KEY) =>
  joined(decrypted(inChunks(bytes, 777_777), key, 'b.tar.enc'))
const failure = (bytes: Uint8Array, key?: Uint8Array) =>
  unseal(bytes, key).catch((error: unknown) => String(error))

const DAMAGED =
  "StoreError: b.tar.enc can't be decrypted: --backup-key-file names another key, or the backup is incomplete or was changed."

/** Returns the header and the chunks of an encrypted backup. */
function partsOf(sealed: Buffer): [header: Buffer, ...chunks: Buffer[]] {
  const chunks: Buffer[] = []
  for (let at = HEADER_SIZE; at < sealed.length; at += SEALED) chunks.push(sealed.subarray(at, at + SEALED))
  return [sealed.subarray(0, HEADER_SIZE), ...chunks]
}

describe('an encrypted backup', () => {
  test.each([0, 1, CHUNK_SIZE - 1, CHUNK_SIZE, CHUNK_SIZE + 1, 3 * CHUNK_SIZE + 5])(
    'of %d bytes is decrypted to what it was, and shows nothing of it',
    async size => {
      const plain = Buffer.concat([
        Buffer.alloc(Math.min(size, 64), 'secret'),
        randomBytes(Math.max(size - 64, 0)),
      ])
      const sealed = await seal(plain)
      expect(isEncrypted(sealed)).toBeTrue()
      expect(sealed.includes('secret')).toBeFalse()
      expect((await unseal(sealed)).equals(plain)).toBeTrue()
    },
  )

  test('is another one each time', async () => {
    const [one, other] = [await seal(Buffer.from('x')), await seal(Buffer.from('x'))]
    expect(one.subarray(HEADER_SIZE).equals(other.subarray(HEADER_SIZE))).toBeFalse()
  })

  test('is refused with another key, and if it is cut, longer, reordered, mixed or changed anywhere', async () => {
    const plain = randomBytes(2 * CHUNK_SIZE + 1000)
    const sealed = await seal(plain)
    const [header, first = header, second = header, third = header] = partsOf(sealed)
    const [, , otherSecond = header] = partsOf(await seal(plain))
    const broken: Record<string, Buffer> = {
      'without its last chunk': Buffer.concat([header, first, second]),
      'without its second chunk': Buffer.concat([header, first, third]),
      'without any chunk': header,
      'without its header': sealed.subarray(HEADER_SIZE),
      'cut within a chunk': sealed.subarray(0, -1),
      'cut within the header': sealed.subarray(0, 10),
      empty: Buffer.alloc(0),
      'with chunks in another order': Buffer.concat([header, second, first, third]),
      'with a chunk twice': Buffer.concat([header, first, second, second, third]),
      'with its last chunk twice': Buffer.concat([sealed, third]),
      'with a chunk of another backup': Buffer.concat([header, first, otherSecond, third]),
      'with something after it': Buffer.concat([sealed, Buffer.from('x')]),
    }
    for (const at of [0, HEADER_SIZE - 1, HEADER_SIZE, HEADER_SIZE + CHUNK_SIZE, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      broken[`changed at ${at}`] = changed
    }
    for (const [how, bytes] of Object.entries(broken))
      expect([how, await failure(bytes)]).toEqual([how, DAMAGED])
    expect(await failure(sealed, randomBytes(32))).toBe(DAMAGED)
  })
})
