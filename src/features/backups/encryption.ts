import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { StoreError } from '../../store/storeError.ts'
import { ByteReader, type Chunks } from './chunks.ts'

/**
 * An encrypted backup is this line, a random salt, and chunks of AES-256-GCM, each followed by its tag. Every backup has its
 * own key, which is derived from the owner's key and the salt. A chunk's nonce is its number and whether it is the last one,
 * so that a chunk that is missing, moved, repeated or taken from another backup can't be decrypted, and neither can a
 * backup that was cut off.
 */
const MAGIC = Buffer.from('corkboard encrypted backup 1\n')
const SALT_SIZE = 32
const KEY_SIZE = 32
/** In bytes, of the text that is encrypted at once. */
export const CHUNK_SIZE = 2 ** 20
const TAG_SIZE = 16
const NONCE_SIZE = 12
const CIPHER = 'aes-256-gcm'

/** In bytes, what comes before the first chunk. */
export const HEADER_SIZE = MAGIC.length + SALT_SIZE

/** Returns whether a file begins like an encrypted backup. */
export const isEncrypted = (start: Uint8Array) => MAGIC.equals(start.subarray(0, MAGIC.length))

/** Encrypts a backup. @param key the owner's key, of 32 bytes */
export async function* encrypted(chunks: Chunks, key: Uint8Array): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_SIZE)
  const ownKey = keyOf(key, salt)
  const reader = new ByteReader(chunks)
  try {
    yield Buffer.concat([MAGIC, salt])
    for await (const { index, bytes, isLast } of reader.pieces(CHUNK_SIZE)) {
      const cipher = createCipheriv(CIPHER, ownKey, nonceOf(index, isLast))
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    }
  } finally {
    await reader.close()
  }
}

/**
 * Decrypts a backup. Each chunk that it yields is authentic, but they are the whole backup only if it ends without an error.
 * @param name the name of the backup, for messages
 * @throws StoreError if the key is wrong or the backup was changed
 */
export async function* decrypted(chunks: Chunks, key: Uint8Array, name: string): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(chunks)
  try {
    const header = await reader.take(HEADER_SIZE)
    const ownKey = keyOf(key, header.subarray(MAGIC.length))
    for await (const { index, bytes, isLast } of reader.pieces(CHUNK_SIZE + TAG_SIZE)) {
      const plain = decrypt(bytes, ownKey, nonceOf(index, isLast))
      if (!plain || header.length !== HEADER_SIZE || !isEncrypted(header)) throw damaged(name)
      yield plain
    }
  } finally {
    await reader.close()
  }
}

const damaged = (name: string) =>
  new StoreError(
    `${name} can't be decrypted: --backup-key-file names another key, or the backup is incomplete or was changed.`,
  )

/** Decrypts a chunk; undefined if it isn't authentic. */
function decrypt(bytes: Buffer, key: Uint8Array, nonce: Uint8Array): Buffer | undefined {
  if (bytes.length < TAG_SIZE) return undefined
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_SIZE })
  decipher.setAuthTag(bytes.subarray(-TAG_SIZE))
  const plain = decipher.update(bytes.subarray(0, -TAG_SIZE))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return undefined
  }
}

const keyOf = (key: Uint8Array, salt: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', key, salt, MAGIC, KEY_SIZE))

/** Returns the nonce of a chunk: its number, and 1 for the last chunk. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_SIZE)
  nonce.writeUIntBE(index, NONCE_SIZE - 7, 6)
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_SIZE - 1)
  return nonce
}
