/**
 * `bun build.ts [TARGET …]` builds a self-contained executable: `dist/corkboard` for this machine, or
 * `dist/corkboard-TARGET` for each target. Exit status: 0 success, 1 failure, 2 unknown target.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { BunPlugin } from 'bun'
import { licensesText } from './buildLicenses.ts'
import manifest from './package.json'

/** Packages with a native addon for each system and processor. */
const NATIVE_PACKAGES = ['lmdb', '@takumi-rs/core'] as const
type Addons = Readonly<Record<(typeof NATIVE_PACKAGES)[number], string>>

/** Returns the paths of the addons for one target, in node_modules. */
const addonsOf = (lmdb: string, takumi: string): Addons => ({
  lmdb: `@lmdb/lmdb-${lmdb}.node`,
  '@takumi-rs/core': `@takumi-rs/core-${takumi}/core.${takumi}.node`,
})

const ADDONS = {
  'linux-x64': addonsOf('linux-x64/node.napi.glibc', 'linux-x64-gnu'),
  'linux-arm64': addonsOf('linux-arm64/node.napi.glibc', 'linux-arm64-gnu'),
  'linux-x64-musl': addonsOf('linux-x64/node.napi.musl', 'linux-x64-musl'),
  'linux-arm64-musl': addonsOf('linux-arm64/node.napi.musl', 'linux-arm64-musl'),
  'darwin-arm64': addonsOf('darwin-arm64/node.napi', 'darwin-arm64'),
  'darwin-x64': addonsOf('darwin-x64/node.napi', 'darwin-x64'),
  'windows-x64': addonsOf('win32-x64/node.napi', 'win32-x64-msvc'),
}
type Target = keyof typeof ADDONS

const isTarget = (name: string): name is Target => name in ADDONS

const modulePath = (path: string) => `${import.meta.dir}/node_modules/${path}`

/** The code with which the pinned version of takumi loads its addon. */
const TAKUMI_LOOKUP = 'if (!forceWasi) nativeBinding = requireNative();'
/** The code with which the pinned version of ordered-binary gets a function's source text. */
const SOURCE_TEXT = 'finishUtf8.toString()'
const FINISH_UTF8 = /^function finishUtf8\([^]*?^}$/m

/** Returns a module that embeds an addon as a file, which `load()` loads in the rest of the module. */
const addonModule = (path: string, rest: string) => `
import { loadAddon } from ${JSON.stringify(`${import.meta.dir}/src/store/nativeAddon.ts`)}
import embedded from ${JSON.stringify(modulePath(path))} with { type: 'file' }
const load = () => loadAddon(embedded)
${rest}`

/**
 * Embeds the addons of lmdb and takumi, which otherwise look for them on disk. msgpackr gets no addon: it is faster
 * without one under Bun.
 */
const nativeParts = (target: Target): BunPlugin => ({
  name: 'native parts',
  setup(build) {
    build.onLoad({ filter: /[\\/]node-gyp-build-optional-packages[\\/]index\.js$/ }, () => ({
      contents: addonModule(ADDONS[target].lmdb, 'export default load'),
      loader: 'js',
    }))
    build.onLoad({ filter: /[\\/]@takumi-rs[\\/]core[\\/]dist[\\/]export\.mjs$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      if (!text.includes(TAKUMI_LOOKUP)) throw new Error(`${path} looks for its native addon in another way.`)
      const patched = text.replace(TAKUMI_LOOKUP, 'nativeBinding = load()')
      return { contents: addonModule(ADDONS[target]['@takumi-rs/core'], patched), loader: 'js' }
    })
    build.onLoad({ filter: /[\\/]msgpackr-extract[\\/]index\.js$/ }, () => ({
      contents: 'module.exports = undefined',
      loader: 'js',
    }))
  },
})

/**
 * ordered-binary, which reads LMDB's keys, compiles code from the source text of one of its functions. The bundler renames
 * variables in that function but not in the rest of the compiled code, so this inserts the original text.
 */
const sourceTexts: BunPlugin = {
  name: 'source texts',
  setup(build) {
    build.onLoad({ filter: /[\\/]ordered-binary[\\/]index\.js$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      const [source] = FINISH_UTF8.exec(text) ?? []
      if (source === undefined || text.split(SOURCE_TEXT).length !== 2)
        throw new Error(`${path} compiles its code in another way.`)
      return { contents: text.replace(SOURCE_TEXT, () => JSON.stringify(source)), loader: 'js' }
    })
  },
}

const bundleOptions = (target: Target) =>
  ({
    // the program of a worker thread is an entry point, whose path in the executable is the same
    entrypoints: ['main.ts', 'search/searchWorker.ts'].map(path => `${import.meta.dir}/src/${path}`),
    root: import.meta.dir,
    target: 'bun',
    plugins: [nativeParts(target), sourceTexts],
  }) as const satisfies Partial<Bun.BuildConfig>

/** Bundles the program once without compiling it, which takes a moment, to know everything that it contains. */
async function collectLicenses(target: Target): Promise<string> {
  const { metafile } = await Bun.build({ ...bundleOptions(target), metafile: true })
  return licensesText(import.meta.dir, Object.keys(metafile?.inputs ?? {}))
}

async function compile(target: Target, outfile: string) {
  const { outputs } = await Bun.build({
    ...bundleOptions(target),
    // embedded, and read only when a stack is printed; minifying would save only 0.1 %
    sourcemap: 'linked',
    define: {
      CORKBOARD_VERSION: JSON.stringify(manifest.version),
      CORKBOARD_LICENSES: JSON.stringify(await collectLicenses(target)),
    },
    compile: {
      target: `bun-${target}`,
      outfile: `${import.meta.dir}/${outfile}`,
      // files in the current folder must not configure the executable
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  for (const { kind, path } of outputs) if (kind === 'sourcemap') await rm(path)
  console.log(`Built ${outfile}`)
}

const isInstalled = (target: Target) =>
  NATIVE_PACKAGES.every(name => existsSync(modulePath(ADDONS[target][name])))

/** Returns a message with the addons of all requested targets, because the npm install removes all others. */
function missingAddonsMessage(missing: Target[], requested: Target[]) {
  const parts = requested.flatMap(target =>
    NATIVE_PACKAGES.map(name => `${packageOf(ADDONS[target][name])}@${manifest.dependencies[name]}`),
  )
  const install = `npm install --no-save --force ${[...new Set(parts)].join(' ')}`
  return `The native addons of ${NATIVE_PACKAGES.join(' and ')} for ${missing.join(', ')} are not installed. Run "${install}".`
}

const packageOf = (path: string) => path.split('/').slice(0, 2).join('/')

function thisMachine() {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const musl = existsSync('/etc/alpine-release') ? '-musl' : ''
  return `${system}-${process.arch}${musl}`
}

function fail(status: number, message: string): never {
  console.error(message)
  process.exit(status)
}

const named = process.argv.slice(2)
const targets = named.length > 0 ? named : [thisMachine()]

const unknown = targets.filter(name => !isTarget(name))
if (unknown.length > 0)
  fail(2, `Unknown target ${unknown.join(', ')}. The targets are ${Object.keys(ADDONS).join(', ')}.`)

const known = targets.filter(isTarget)
const missing = known.filter(target => !isInstalled(target))
if (missing.length > 0) fail(1, missingAddonsMessage(missing, known))

for (const target of known)
  await compile(target, named.length > 0 ? `dist/corkboard-${target}` : 'dist/corkboard')
