import { LRUCache } from 'lru-cache'
import { isBlank } from '../../base/text.ts'
import { type EncodedLogo, LogoEncoder, MAX_LOGO_BYTES } from '../../images/logoEncoder.ts'
import type { LogoFiles } from '../../images/logoFiles.ts'
import type { Fields, Validation } from '../../validation/validation.ts'
import { fetchInPieces } from './download.ts'
import { ImportError } from './importError.ts'

const NOT_BASE64 = 'must be a picture in base64, such as data:image/png;base64,…'

/** The size of the fetched logos that are remembered, in bytes. */
const MAX_REMEMBERED = 2 ** 24

const WEB_ADDRESS = /^\s*https?:\/\//i
const DATA_URL = /^data:[^,]*;base64,/i

/**
 * The logos of an import, which are in the rows (as base64) or on the service that the rows come from. Files are written
 * before the records that name them, and removed if the import fails.
 */
export class RowLogos {
  private readonly names = new Map<number, string>()
  private readonly encoder = new LogoEncoder()
  /** Many jobs have the logo of one company. */
  private readonly fetched = new LRUCache<string, EncodedLogo>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ bytes }) => bytes.length,
  })
  private isDryRun = false
  /** The number of logos on hosts from which nothing is fetched. */
  foreignCount = 0

  /**
   * @param origin the service from which logos are fetched; undefined to fetch none
   * @param warn reports why a logo is skipped
   */
  constructor(
    private readonly files: LogoFiles,
    private readonly origin: string | undefined,
    private readonly warn: (place: string, why: string) => void,
  ) {}

  /** Returns whether a row has a logo. */
  has = ({ values }: Fields) => !isBlank(values.get('logo'))

  /** Reads the logo of a row. An invalid logo is an error of the row; one that can't be fetched is skipped. */
  async read(
    place: string,
    fields: Fields,
    validation: Validation<unknown>,
  ): Promise<EncodedLogo | undefined> {
    const logo = fields.values.get('logo')
    if (typeof logo === 'string' && WEB_ADDRESS.test(logo)) return await this.fetch(place, logo.trim())
    const bytes = typeof logo === 'string' ? decode(logo) : undefined
    const encoded = bytes ? await this.encoder.encode(bytes) : { error: NOT_BASE64 }
    if (!('error' in encoded)) return encoded
    validation.addError('logo', encoded.error)
    return undefined
  }

  /** Stores the logo of the row with this number. */
  async store(row: number, logo: EncodedLogo): Promise<void> {
    if (!this.isDryRun) this.names.set(row, await this.files.write(logo))
  }

  /** Returns the name of a row's logo; `''` if it has none. */
  nameOf(row: number): string {
    return this.names.get(row) ?? ''
  }

  /** Stops fetching and storing, because the import will fail. Logos in rows are still checked. */
  stopStoring(): void {
    this.isDryRun = true
  }

  /** Keeps the logos of the rows up to this number, because their records are stored. */
  keepUntil(row: number): void {
    for (const number of this.names.keys()) {
      if (number > row) return
      this.names.delete(number)
    }
  }

  /** Removes all logos that were stored, but not kept. */
  async removeAll(): Promise<void> {
    for (const name of this.names.values()) await this.files.remove(name)
  }

  private async fetch(place: string, url: string): Promise<EncodedLogo | undefined> {
    if (URL.parse(url)?.origin !== this.origin) {
      this.foreignCount++
      return undefined
    }
    if (this.isDryRun) return undefined
    const known = this.fetched.get(url)
    if (known) return known
    try {
      const encoded = await this.encoder.encode(await fetchLogo(url))
      if (!('error' in encoded)) {
        this.fetched.set(url, encoded)
        return encoded
      }
      this.warn(place, `${url} ${encoded.error}.`)
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      this.warn(place, error.message)
    }
    return undefined
  }
}

/** @throws ImportError */
async function fetchLogo(url: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  await fetchInPieces(url, 'error', piece => {
    pieces.push(piece)
    size += piece.length
    if (size > MAX_LOGO_BYTES) throw new ImportError(`${url} is too large for a logo.`)
  })
  return Buffer.concat(pieces)
}

/** Decodes base64, alone or as a data URL; undefined if the text is neither. */
function decode(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text.replace(DATA_URL, ''))
  } catch {
    return undefined
  }
}
