import { promises as fs } from 'node:fs'
import { basename, join } from 'node:path'
import { unlessMissing } from '../base/error.ts'
import { keyErrors } from '../config/consistency.ts'
import { syncFolder, writeDurably } from '../store/durable.ts'
import { makeFolder } from '../store/folder.ts'
import type { KeyPair } from './keyPair.ts'

/** The folder of the certificate in the data directory. */
export const TLS_FOLDER = 'tls'
/** The key of the account at the authority. */
const ACCOUNT_FILE = 'account.pem'
/** The certificate with its chain and its key in one file, so that a crash can't separate them. */
const CERTIFICATE_FILE = 'certificate.pem'
/** The paths in the data directory that a backup may contain. */
export const TLS_PATHS = [ACCOUNT_FILE, CERTIFICATE_FILE].map(name => join(TLS_FOLDER, name))

const UNFINISHED = '.unfinished'
const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?-----END [A-Z ]*PRIVATE KEY-----\s*/
/** The line before the certificate that says where it comes from. */
const SOURCE = /^Authority: (\S+)$/m

/** A certificate from an authority. */
export interface StoredCertificate extends KeyPair {
  /** The URL of the authority's directory. */
  readonly authority: string
}

/** The folder with the account and the certificate. Only the owner of the data directory can read it. */
export class TlsFolder {
  private readonly path: string

  /** @param data the data directory */
  constructor(private readonly data: string) {
    this.path = join(data, TLS_FOLDER)
  }

  /** Reads the key of the account, as PEM; undefined if there is none. @throws Error if it can't be read */
  readAccountKey(): Promise<string | undefined> {
    return this.read(ACCOUNT_FILE)
  }

  /** Stores the key of the account. It is on disk when this resolves. */
  async writeAccountKey(key: string): Promise<void> {
    await this.write(ACCOUNT_FILE, key)
  }

  /** Reads the certificate; undefined if there is none. @throws Error if it can't be read or used */
  async readCertificate(): Promise<StoredCertificate | undefined> {
    const text = await this.read(CERTIFICATE_FILE)
    if (text === undefined) return undefined
    const [key = ''] = KEY.exec(text) ?? []
    const [, authority = ''] = SOURCE.exec(text) ?? []
    const cert = text.replace(KEY, '').replace(SOURCE, '').trimStart()
    if (keyErrors(cert, key).length > 0)
      throw new Error('it must contain a certificate and its private key as PEM')
    return { cert, key, authority }
  }

  /** Stores a certificate. It is on disk when this resolves, and replaces the last one as a whole. */
  async writeCertificate({ cert, key }: KeyPair, authority: string): Promise<void> {
    await this.write(CERTIFICATE_FILE, `Authority: ${authority}\n${cert.trimEnd()}\n${key}`)
  }

  /** Reads all files, for a backup. Their names are paths in the data directory. */
  async files(): Promise<{ readonly name: string; readonly text: string }[]> {
    const files = await Promise.all(
      TLS_PATHS.map(async name => ({ name, text: await this.read(basename(name)) })),
    )
    return files.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]))
  }

  private async read(name: string): Promise<string | undefined> {
    return await fs.readFile(join(this.path, name), 'utf8').catch(unlessMissing)
  }

  private async write(name: string, text: string) {
    makeFolder(this.path)
    const unfinished = join(this.path, `${name}${UNFINISHED}`)
    // A process that was killed may have left one.
    await fs.rm(unfinished, { force: true })
    await writeDurably(unfinished, file => file.writeFile(text))
    await fs.rename(unfinished, join(this.path, name))
    await syncFolder(this.path)
    await syncFolder(this.data)
  }
}
