/** Collects the licences of everything that the executable contains, for `corkboard licenses`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A work in the executable. */
interface Work {
  readonly name: string
  readonly version: string
  /** The identifier of its licence, as in SPDX. */
  readonly license: string
  /** The texts of the licence and of further notices. */
  readonly texts: readonly string[]
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

interface CompiledIn {
  readonly library: string
  readonly license: string
  /** The folder of its licence, in the package. */
  readonly at: string
}

const LICENSE_FILE = /licen[cs]e|copying|copyright|notice|ofl/i
/** The package in a path, which may be inside another package. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** Libraries that are compiled into an addon, by its package, with their licences. */
const COMPILED_IN: Readonly<Record<string, readonly CompiledIn[]>> = {
  lmdb: [
    { library: 'LMDB', license: 'OLDAP-2.8', at: 'dependencies/lmdb/libraries/liblmdb' },
    { library: 'LZ4', license: 'BSD-2-Clause', at: 'dependencies/lz4/lib' },
  ],
}

/** Licences of packages that state only that of their own part. */
const LICENSES: Readonly<Record<string, string>> = {
  '@ip-location-db/geo-whois-asn-country-mmdb': 'CC0-1.0, with data of the NRO under CC-BY-4.0',
}

/** Packages that state their licence without its text, all of them under the MIT licence. */
const WITHOUT_TEXT = /^(@lmdb\/|@takumi-rs\/|(weak-lru-cache|agent-base|https-proxy-agent)$)/

const mitLicense = (author: string) => `MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/**
 * Returns the licences as one text.
 * @param root the project's folder
 * @param inputs the paths of all files that are bundled, relative to the root
 * @throws Error if a work has no licence
 */
export function licensesText(root: string, inputs: readonly string[]): string {
  const folders = inputs.flatMap(path => PACKAGE.exec(path)?.[1] ?? [])
  const works = [...new Set(folders)].flatMap(folder => worksOf(join(root, folder)))
  const fonts = join(root, 'src/assets/fonts')
  const all = [
    ...works.sort((a, b) => a.name.localeCompare(b.name)),
    {
      name: 'Noto Sans JP, KR, SC and TC (fonts)',
      version: '5.3.0',
      license: 'OFL-1.1',
      texts: textsIn(fonts),
    },
    bun(root),
  ]
  for (const { name, texts } of all)
    if (texts.length === 0) throw new Error(`${name} has no text of its licence`)
  const list = all.map(({ name, version, license }) => `  ${name} ${version}: ${license}`)
  return [`Corkboard contains:\n\n${list.join('\n')}\n`, ...all.map(workText)].join('\n')
}

const RULE = '='.repeat(80)

const workText = ({ name, version, license, texts }: Work) =>
  `${RULE}\n${name} ${version}: ${license}\n${RULE}\n\n${texts.join('\n\n')}\n`

function worksOf(folder: string): Work[] {
  const { name, version, license = 'unknown', author = '' } = manifestOf(folder)
  const found = textsIn(folder)
  const own =
    found.length === 0 && WITHOUT_TEXT.test(name)
      ? [mitLicense(typeof author === 'string' ? author : author.name)]
      : found
  const compiled = COMPILED_IN[name] ?? []
  return [
    { name, version, license: LICENSES[name] ?? license, texts: own },
    ...compiled.map(({ library, license: other, at }) => ({
      name: `${library} (in ${name})`,
      version,
      license: other,
      texts: textsIn(join(folder, at)),
    })),
  ]
}

// A package without these fields couldn't be installed.
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Returns the licences in a folder, not in the folders below. */
function textsIn(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  return files
    .filter(file => file.isFile() && LICENSE_FILE.test(file.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
}

/** Returns the runtime, whose page about licences names its libraries and polyfills. */
function bun(root: string): Work {
  const { version } = manifestOf(join(root, 'node_modules/bun'))
  const page = readFileSync(join(root, 'node_modules/bun-types/docs/project/license.mdx'), 'utf8')
  const text = page.replace(/^---[^]*?^---$/m, '').trim()
  return {
    name: 'Bun (the runtime)',
    version,
    license: 'MIT, and those of its libraries',
    texts: [text, mitLicense('Oven')],
  }
}
