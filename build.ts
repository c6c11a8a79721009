/**
 * `bun build.ts [TARGET …]` makes one executable that needs nothing beside it: `dist/corkboard` for this machine, or
 * `dist/corkboard-TARGET` for each target named. Exit status: 0 done, 1 failed, 2 an unknown target.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { BunPlugin } from 'bun'
import manifest from './package.json'

/** Where in node_modules each target finds the native part of lmdb. */
const addons = {
  'linux-x64': '@lmdb/lmdb-linux-x64/node.napi.glibc.node',
  'linux-arm64': '@lmdb/lmdb-linux-arm64/node.napi.glibc.node',
  'linux-x64-musl': '@lmdb/lmdb-linux-x64/node.napi.musl.node',
  'linux-arm64-musl': '@lmdb/lmdb-linux-arm64/node.napi.musl.node',
  'darwin-arm64': '@lmdb/lmdb-darwin-arm64/node.napi.node',
  'darwin-x64': '@lmdb/lmdb-darwin-x64/node.napi.node',
  'windows-x64': '@lmdb/lmdb-win32-x64/node.napi.node',
}
type Target = keyof typeof addons

const isTarget = (name: string): name is Target => name in addons

/**
 * Both packages look for their native part on disk when they start, where an executable has none. lmdb gets the
 * target's as a literal require, which the bundler embeds; msgpackr gets none, and is faster so under Bun.
 */
const nativeParts = (addon: string): BunPlugin => ({
  name: 'native parts',
  setup(build) {
    build.onLoad({ filter: /[\\/]node-gyp-build-optional-packages[\\/]index\.js$/ }, () => ({
      contents: `module.exports = () => require(${JSON.stringify(addon)})`,
      loader: 'js',
    }))
    build.onLoad({ filter: /[\\/]msgpackr-extract[\\/]index\.js$/ }, () => ({
      contents: 'module.exports = undefined',
      loader: 'js',
    }))
  },
})

async function compile(target: Target, outfile: string) {
  const { outputs } = await Bun.build({
    // a thread's program is a program of its own, known in the executable by its path here
    entrypoints: [`${import.meta.dir}/src/main.ts`, `${import.meta.dir}/src/search/indexer.ts`],
    root: import.meta.dir,
    target: 'bun',
    // Embedded, and read only when a stack is printed. Minified, the executable would be 0.1 % smaller.
    sourcemap: 'linked',
    define: { CORKBOARD_VERSION: JSON.stringify(manifest.version) },
    plugins: [nativeParts(addonFile(target))],
    compile: {
      target: `bun-${target}`,
      outfile: `${import.meta.dir}/${outfile}`,
      // What lies in the folder that it is started from is no configuration of ours.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  })
  for (const { kind, path } of outputs) if (kind === 'sourcemap') await rm(path)
  console.log(`Built ${outfile}`)
}

const addonFile = (target: Target) => `${import.meta.dir}/node_modules/${addons[target]}`

/** Names the parts of all targets asked for: npm removes at every such install what it does not name. */
function missingParts(missing: Target[], asked: Target[]) {
  const packages = asked.map(target => addons[target].split('/').slice(0, 2).join('/'))
  const parts = [...new Set(packages)].map(name => `${name}@${manifest.dependencies.lmdb}`)
  return `lmdb's native part for ${missing.join(', ')} is not installed: run "npm install --no-save --force ${parts.join(' ')}".`
}

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
  fail(2, `There is no target ${unknown.join(', ')}. The targets are ${Object.keys(addons).join(', ')}.`)

const known = targets.filter(isTarget)
const missing = known.filter(target => !existsSync(addonFile(target)))
if (missing.length > 0) fail(1, missingParts(missing, known))

for (const target of known)
  await compile(target, named.length > 0 ? `dist/corkboard-${target}` : 'dist/corkboard')
