import { X509Certificate } from 'node:crypto'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { CountryDatabase } from '../base/countryDatabase.ts'
import { errorCode } from '../base/error.ts'
import { OptionError } from './errors.ts'
import type { Parse } from './values.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a directory',
}

/** Returns an error that says why a file can't be read, in words or with the system's error code. */
export function unreadable(error: unknown): OptionError {
  const code = errorCode(error) ?? 'unknown'
  return new OptionError(`can't be read: ${REASONS[code] ?? code}`)
}

/** A file that was read when the program started. */
export interface TextFile {
  readonly path: string
  readonly text: string
}

/** Reads a text file. */
export const textFile: Parse<TextFile> = path => {
  try {
    return { path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    return unreadable(error)
  }
}

/** Reads a file with one or more certificates. */
export const certificateFile: Parse<TextFile> = path => {
  const file = textFile(path)
  return file instanceof OptionError || isCertificate(file.text)
    ? file
    : new OptionError('must name a PEM file with a certificate')
}

/** Returns whether a text starts with a certificate as PEM. */
export function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0
  } catch {
    return false
  }
}

/** Opens a country database. */
export const countryDatabase: Parse<CountryDatabase> = path => {
  let file: Buffer
  try {
    file = readFileSync(path)
  } catch (error) {
    return unreadable(error)
  }
  try {
    return new CountryDatabase(file)
  } catch {
    return new OptionError('must be a country database in mmdb format, such as GeoLite2-Country.mmdb')
  }
}

/** Accepts the path of a readable directory. */
export const readableFolder: Parse<string> = text => {
  try {
    if (!statSync(text).isDirectory()) return new OptionError('must be a directory')
    accessSync(text, constants.R_OK | constants.X_OK)
    return text
  } catch (error) {
    return unreadable(error)
  }
}
