import { createReadStream, promises as fs } from 'node:fs'
import { DAY } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { S3Location } from '../../config/operationValues.ts'
import { S3Client, type S3Object } from '../../s3/s3Client.ts'
import { writeDurably } from '../../store/durable.ts'
import { StoreError } from '../../store/storeError.ts'
import { ByteReader, type Chunks } from './chunks.ts'
import { decrypted, encrypted, HEADER_SIZE, isEncrypted } from './encryption.ts'
import { ENCRYPTED, timeIn } from './names.ts'
import { outdated } from './retention.ts'

/** In bytes. One part is in memory while it is sent, and another while it is read. */
const PART_SIZE = 6 * 2 ** 20
/** S3 allows 10,000. */
const MAX_PARTS = 9_000

/** A backup in a bucket. */
export interface RemoteBackup extends S3Object {
  /** When it was made, in milliseconds since 1970. */
  readonly time: number
}

/** The options of uploaded backups. */
export type RemoteOptions = Pick<Config, 's3Endpoint' | 's3KeyFile' | 'backupKeyFile'>

/** The backups in a folder of a bucket. Errors are S3Errors or StoreErrors. */
export class RemoteBackups {
  private readonly client: S3Client
  private readonly encryptionKey: Uint8Array | undefined

  /** @param pause in milliseconds, before a request is tried again */
  constructor(
    private readonly location: S3Location,
    { s3Endpoint: endpoint, s3KeyFile: key, backupKeyFile }: RemoteOptions,
    pause?: number,
  ) {
    if (!key) throw new StoreError('A backup in a bucket requires --s3-key-file.')
    const { bucket } = location
    this.client = new S3Client({ endpoint, bucket, key, ...(pause !== undefined && { pause }) })
    this.encryptionKey = backupKeyFile
  }

  /** Lists our backups, the oldest first. */
  async list(): Promise<RemoteBackup[]> {
    const { prefix } = this.location
    const backups = (await this.client.list(prefix)).flatMap(object => {
      const time = this.timeOf(object.name)
      return time === undefined ? [] : [{ ...object, time }]
    })
    return backups.sort((a, b) => a.time - b.time)
  }

  /**
   * Uploads a backup, encrypts it if there is a key, then reads it back and compares it. One that differs is removed.
   * @param name the name in the folder, without the `.enc` that is added if it is encrypted
   * @returns the URL of the backup
   */
  async upload(path: string, name: string, signal?: AbortSignal): Promise<string> {
    const { encryptionKey: key } = this
    const { size } = await fs.stat(path)
    const object = `${this.location.prefix}${name}${key ? ENCRYPTED : ''}`
    const file = createReadStream(path, { highWaterMark: 2 ** 18 })
    const sent = new Checksum()
    const partSize = Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS))
    const contents = sent.of(key ? encrypted(file, key) : file)
    await this.client.upload(object, inParts(contents, partSize), signal)
    try {
      if (!(await this.isStored(object, sent, signal)))
        throw new StoreError(`${this.urlOf(object)} was not stored as it was sent, and was removed.`)
    } catch (error) {
      // Otherwise the newest backup would be one that nobody has verified.
      if (signal?.aborted !== true) await this.client.remove(object).catch(() => undefined)
      throw error
    }
    return this.urlOf(object)
  }

  /** Reads an object back, and returns whether it matches what was sent. */
  private async isStored(object: string, sent: Checksum, signal: AbortSignal | undefined): Promise<boolean> {
    const received = new Checksum()
    for await (const _ of received.of(this.client.read({ name: object, size: sent.size }, signal)));
    const found = await this.client.find(object)
    return found?.size === sent.size && received.digest === sent.digest
  }

  /**
   * Removes the backups that are no longer kept, and the remains of uploads that didn't end within a day. Returns the number
   * of the backups.
   */
  async prune(now: number): Promise<number> {
    const { prefix } = this.location
    const old = outdated(await this.list())
    for (const { name } of old) await this.client.remove(name)
    // Some servers don't list unfinished uploads, and remove them by themselves.
    await this.client
      .abortUploads(prefix, name => this.timeOf(name) !== undefined, now - DAY)
      .catch(() => undefined)
    return old.length
  }

  /** Finds the named backup or, if the location names none, the newest one. @throws StoreError if there is none */
  async find(): Promise<S3Object> {
    const { prefix, file } = this.location
    const named = `${prefix}${file}`
    const object = file === '' ? (await this.list()).at(-1) : await this.client.find(named)
    if (!object) throw new StoreError(`There is no backup at ${this.urlOf(named)}.`)
    return object
  }

  /** Downloads and decrypts a backup. */
  async download(backup: S3Object, path: string): Promise<void> {
    const chunks = this.client.read(backup)
    await writeDurably(path, async target => {
      for await (const chunk of decryptedIfNeeded(chunks, this.encryptionKey, this.urlOf(backup.name)))
        await target.writeFile(chunk)
    })
  }

  /** Returns the time in the name of one of our backups; undefined for other objects. */
  private timeOf(name: string): number | undefined {
    return timeIn(name.slice(this.location.prefix.length))
  }

  urlOf(object: string): string {
    return `s3://${this.location.bucket}/${object}`
  }
}

/**
 * Decrypts a backup if it is encrypted.
 * @param name the name of the backup, for messages
 * @throws StoreError if the key is missing or wrong, or if it should be encrypted and isn't
 */
export async function* decryptedIfNeeded(
  chunks: Chunks,
  key: Uint8Array | undefined,
  name: string,
): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(chunks)
  const start = await reader.take(HEADER_SIZE)
  const all = rejoined(start, reader)
  // Otherwise, anyone who can write to the bucket could replace an encrypted backup with a forged one.
  if (!isEncrypted(start) && name.endsWith(ENCRYPTED))
    throw new StoreError(`${name} isn't an encrypted backup: it is damaged, or was replaced.`)
  if (!isEncrypted(start)) yield* all
  else if (key) yield* decrypted(all, key, name)
  else throw new StoreError(`${name} is encrypted: name its key with --backup-key-file.`)
}

async function* rejoined(start: Uint8Array, reader: ByteReader): AsyncGenerator<Uint8Array> {
  yield start
  for await (const { bytes } of reader.pieces(2 ** 20)) yield bytes
}

/** Yields bytes in parts of one size, except for the last one. */
async function* inParts(chunks: Chunks, size: number): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(chunks)
  try {
    for await (const { bytes } of reader.pieces(size)) yield bytes
  } finally {
    await reader.close()
  }
}

/** The size and the checksum of bytes that pass. */
class Checksum {
  private readonly hash = new Bun.CryptoHasher('sha256')
  size = 0

  async *of(chunks: Chunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.hash.update(chunk)
      this.size += chunk.length
      yield chunk
    }
  }

  get digest(): string {
    return this.hash.digest('hex')
  }
}
