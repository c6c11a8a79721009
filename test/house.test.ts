import { describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path/posix'
import { isMember, isNode, nameOf, readSource } from './helpers/source.ts'
import type { Node, Source } from './helpers/source.ts'
import timings from './timings.json'

/** The rooms that each room may import. A file directly in src is a room of its own. */
const ROOMS: Record<string, string> = {
  main: 'cli server features board http accounts mail search images traffic tls webhooks s3 store config validation worker base assets',
  cli: 'server features board http accounts mail search images traffic tls webhooks s3 store config validation worker base assets',
  server:
    'features board http accounts mail search images traffic tls webhooks s3 store config validation worker base assets',
  features:
    'board http accounts mail search images traffic tls webhooks s3 store config validation worker base assets',
  board: 'http accounts mail search images traffic tls webhooks store config validation worker base assets',
  http: 'accounts store config validation base',
  accounts: 'store config validation base',
  mail: 'http accounts search store config validation base',
  search: 'store config validation worker base',
  images: 'store config validation worker base assets',
  traffic: 'store config validation base',
  tls: 'http store config base',
  webhooks: 'http store config validation base',
  store: 'config validation base',
  config: 'validation base',
  validation: 'base',
  worker: 'config base',
  s3: 'base',
  base: '',
  assets: '',
}

/** Jobs refer to records of other features, never the other way round. */
const JOBS_MAY_SEE = /^features\/(\w+\/(present|schema)|logos\/rules)\.ts$/
/** The change feed shows the records of every feature, and no feature refers to it. */
const CHANGES_MAY_SEE = /^features\/\w+\/(present|schema|responseSchemas)\.ts$/
/** Pages show jobs, and no feature refers to pages. */
const PAGES_MAY_SEE = /^features\/jobs\/(findJobs|present|schema|responseSchemas)\.ts$/
/** An import creates records by the rules of their features. */
const IMPORTS_MAY_SEE =
  /^features\/(jobs\/(htmlToMarkdown|importSchema|jobWriter|longTitle|publication|rules|statusSchema)|(labels|plans)\/schema)\.ts$/
/** Sources write jobs by their rules, and read sets of jobs like imports. */
const SOURCES_MAY_SEE =
  /^features\/(jobs\/(?!\w*[rR]outes\.ts)\w+|imports\/(format|importError|json|numberedRows|rows|source)|logos\/rules|users\/(present|schema))\.ts$/
/** The desk is the API as pages: it uses everything of other features but their routes, and no feature refers to it. */
const DESK_MAY_SEE = /^features\/\w+\/(?!\w*[rR]outes\.ts)\w+\.ts$/

const ERROR_STATUSES = new Set([401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 503, 507])
/** Numbers that are also used for other things: a status only where the code says so. */
const ROUND_STATUSES = new Set([400, 500])

const VAGUE_NAMES = /^(index|utils?|services?|managers?|helpers?)$/
const LONGEST_FILE = 199

type Rule = {
  /** Returns whether a source breaks the rule. */
  readonly breaks: (source: Source) => boolean
  /** Example files that break it, and some that follow it. */
  readonly broken: readonly Example[]
  readonly followed: readonly Example[]
}
type Example = readonly [path: string, text: string]

const RULES: Record<string, Rule> = {
  'a room imports only the rooms below it': {
    breaks: source => {
      const room = roomOf(source.path)
      const open = [room, ...(ROOMS[room]?.split(' ') ?? [])]
      return !(room in ROOMS) || ownImports(source).some(path => !open.includes(roomOf(path)))
    },
    broken: [
      ['store/table.ts', `import { search } from '../search/listing.ts'`],
      ['base/clock.ts', `import type { Options } from '../config/options.ts'`],
      ['accounts/users.ts', `import { type Reply } from '../http/reply.ts'`],
      ['search/listing.ts', `export { draw } from '../images/draw.ts'`],
      ['board.ts', `const app = await import('./server/app.ts')`],
      ['config/options.ts', `type Table = import('../store/table.ts').Table`],
      ['features/plans/routes.ts', `import { run } from '../../main.ts'`],
      ['server/app.ts', `import { name } from '../../package.json'`],
      ['attic/box.ts', `export const box = 1`],
    ],
    followed: [
      ['main.ts', `import { commands } from './cli/commands.ts'`],
      ['http/auth.ts', `import { verify } from '../accounts/credentials.ts'`],
      ['features/jobs/actions.ts', `import { Problem } from '../../base/problem.ts'`],
      ['store/table.ts', `import { rows } from './rows.ts'`],
      [
        'store/file.ts',
        `// import { search } from '../search/listing.ts'\nconst text = "import '../main.ts'"`,
      ],
    ],
  },

  'a feature imports no other, except jobs the presenters of others, pages those of jobs, imports and sources their rules, and the desk all but routes':
    {
      breaks: source =>
        ownImports(source).some(path => {
          const [from, to] = [featureOf(source.path), featureOf(path)]
          const isAllowed =
            (from === 'settings' && path === 'features/logos/rules.ts') ||
            (from === 'jobs' && JOBS_MAY_SEE.test(path)) ||
            (from === 'pages' && PAGES_MAY_SEE.test(path)) ||
            (from === 'changes' && CHANGES_MAY_SEE.test(path)) ||
            (from === 'imports' && IMPORTS_MAY_SEE.test(path)) ||
            (from === 'sources' && SOURCES_MAY_SEE.test(path)) ||
            ((from === 'desk' || from === 'admin') && DESK_MAY_SEE.test(path))
          return from !== undefined && to !== undefined && from !== to && !isAllowed
        }),
      broken: [
        ['features/plans/actions.ts', `import { presentJob } from '../jobs/present.ts'`],
        ['features/jobs/actions.ts', `import { addPlan } from '../plans/actions.ts'`],
        ['features/users/present.ts', `import type { PlanView } from '../plans/present.ts'`],
        ['features/changes/feed.ts', `import { listPlans } from '../plans/actions.ts'`],
        ['features/jobs/lists.ts', `import { presentCard } from '../pages/card.ts'`],
        ['features/pages/list.ts', `import { createJob } from '../jobs/actions.ts'`],
        ['features/imports/importer.ts', `import { addUser } from '../users/actions.ts'`],
        ['features/jobs/rules.ts', `import { parseJob } from '../imports/parsedJob.ts'`],
        ['features/sources/batch.ts', `import { jobRoutes } from '../jobs/routes.ts'`],
        ['features/jobs/actions.ts', `import { upsertJob } from '../sources/upsert.ts'`],
        ['features/desk/post.ts', `import { jobRoutes } from '../jobs/routes.ts'`],
        ['features/desk/post.ts', `import { statusRoutes } from '../jobs/statusRoutes.ts'`],
        ['features/jobs/actions.ts', `import { signIn } from '../desk/signIn.ts'`],
      ],
      followed: [
        ['features/jobs/present.ts', `import { presentPlan } from '../plans/present.ts'`],
        ['features/jobs/actions.ts', `import { draftLogo } from '../logos/rules.ts'`],
        ['features/plans/routes.ts', `import { presentPlan } from './present.ts'`],
        ['features/changes/present.ts', `import { presentPlan } from '../plans/present.ts'`],
        ['features/pages/list.ts', `import { findJobs } from '../jobs/findJobs.ts'`],
        ['features/imports/parsedJob.ts', `import { validateImportedJob } from '../jobs/rules.ts'`],
        ['features/desk/post.ts', `import { createJob } from '../jobs/actions.ts'`],
        ['server/app.ts', `import { planRoutes } from '../features/plans/routes.ts'`],
      ],
    },

  'only store imports lmdb': {
    breaks: source => roomOf(source.path) !== 'store' && importsPackage(source, /^lmdb(\/|$)/),
    broken: [
      ['board.ts', `import { open } from 'lmdb'`],
      ['search/listing.ts', `import type { Database } from 'lmdb'`],
      ['cli/check.ts', `const lmdb = require('lmdb')`],
    ],
    followed: [['store/store.ts', `import { open } from 'lmdb'`]],
  },

  'only routes, pages, server and http import Elysia': {
    breaks: source =>
      !/^(features\/(\w+\/(\w*[rR]outes)\.ts|(pages|admin)\/)|server\/|http\/)/.test(source.path) &&
      importsPackage(source, /^(elysia|@elysiajs)(\/|$)/),
    broken: [
      ['features/jobs/actions.ts', `import type { Context } from 'elysia'`],
      ['cli/serve.ts', `import { staticPlugin } from '@elysiajs/static'`],
    ],
    followed: [
      ['features/jobs/routes.ts', `import { Elysia } from 'elysia'`],
      ['features/pages/list.ts', `import { Elysia } from 'elysia'`],
      ['server/app.ts', `import { Elysia } from 'elysia'`],
      ['http/auth.ts', `import { Elysia } from 'elysia'`],
    ],
  },

  'a feature writes only by `writeAs`, which takes the caller': {
    breaks: ({ path, nodes }) =>
      // these two are used by commands only, which have no caller
      roomOf(path) === 'features' && !/^features\/(backups|checks)\//.test(path) && nodes.some(isStoreWrite),
    broken: [
      ['features/plans/actions.ts', `await store.write(tables => tables.plans.remove(id))`],
      ['features/plans/actions.ts', `const add = (board: Board) => board.store.write(change)`],
      ['features/plans/rules.ts', `const { write } = board.store`],
    ],
    followed: [
      ['features/plans/actions.ts', `await writeAs(store, caller, tables => tables.plans.remove(id))`],
      ['features/logos/rules.ts', `const name = await logos.write(logo)`],
      ['features/checks/logos.ts', `await store.write(({ jobs }) => jobs.remove(id))`],
      ['accounts/writeAs.ts', `store.write(change)`],
    ],
  },

  'only config reads the environment': {
    breaks: source => roomOf(source.path) !== 'config' && source.nodes.some(isEnvironment),
    broken: [
      ['board.ts', `const home = process.env.HOME`],
      ['cli/serve.ts', `read(globalThis.process['env'])`],
      ['http/log.ts', `const level = Bun.env.CORKBOARD_LOG`],
      ['http/cors.ts', `const level = import.meta.env.CORKBOARD_LOG`],
      ['store/lock.ts', `const { pid, env } = process`],
      ['store/file.ts', `import { env } from 'node:process'`],
      ['main.ts', `import { env as environment } from 'bun'`],
    ],
    followed: [
      ['config/options.ts', `export const read = (env = process.env) => env.CORKBOARD_DATA`],
      ['main.ts', `run(process.argv, env)`],
    ],
  },

  'only http/response/errors.ts knows the statuses of errors, and s3 those of other servers': {
    breaks: source =>
      source.path !== 'http/response/errors.ts' &&
      roomOf(source.path) !== 's3' &&
      source.nodes.some(isErrorStatus),
    broken: [
      ['features/jobs/routes.ts', `set.status = 500`],
      ['http/auth.ts', `const reply = new Response(null, { status: 401 })`],
      ['http/ids.ts', `throw refuse(404)`],
      ['server/app.ts', `const BAD_STATUS = 400`],
      ['features/plans/routes.ts', `refuse(status(400))`],
    ],
    followed: [
      ['http/response/errors.ts', `export const statuses = { missing: 404 }`],
      ['http/answer.ts', `const reply = new Response(null, { status: 304 })`],
      ['images/logo.ts', `const LONGEST_SIDE = 512`],
      ['store/store.ts', `const BATCH = 500`],
    ],
  },

  'only base/clock.ts reads the time': {
    breaks: source => source.path !== 'base/clock.ts' && source.nodes.some(isTimeOfDay),
    broken: [
      ['board.ts', `const now = Date.now()`],
      ['store/store.ts', `const open = ({ clock = Date.now }) => clock()`],
      ['features/jobs/actions.ts', `const made = new Date().toISOString()`],
      ['http/log.ts', `const line = Date()`],
    ],
    followed: [
      ['base/clock.ts', `export const systemClock = () => Date.now()`],
      ['http/log.ts', `const begun = performance.now()`],
      [
        'features/jobs/present.ts',
        `const text = new Date(ms).toISOString() + Date.parse(sent) // not Date.now()`,
      ],
    ],
  },

  'nothing is exported as default': {
    breaks: ({ nodes }) =>
      nodes.some(
        ({ type, exported }) => type === 'ExportDefaultDeclaration' || nameOf(exported) === 'default',
      ),
    broken: [
      ['board.ts', `export default class Board {}`],
      ['store/store.ts', `const store = 1\nexport { store as default }`],
      ['server/app.ts', `export { default } from './listen.ts'`],
    ],
    followed: [
      ['board.ts', `export class Board {}`],
      ['assets/files.d.ts', `declare module '*.woff2' {\n  const path: string\n  export = path\n}`],
    ],
  },

  'a file is named by a noun, in camelCase or lower case': {
    breaks: ({ path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/(\.d)?\.ts$/, '')
      return !/^[a-z][a-zA-Z0-9]*(-[a-z0-9]+)*$/.test(name) || VAGUE_NAMES.test(name)
    },
    broken: [
      ['search/index.ts', ''],
      ['http/utils.ts', ''],
      ['features/jobs/service.ts', ''],
      ['store/manager.ts', ''],
      ['store/job_table.ts', ''],
      ['Board.ts', ''],
    ],
    followed: [
      ['board.ts', ''],
      ['assets/files.d.ts', ''],
      ['features/jobs/routes.ts', ''],
      ['store/jobTable.ts', ''],
    ],
  },

  'a file has under 200 lines': {
    breaks: ({ lines }) => lines > LONGEST_FILE,
    broken: [['board.ts', '// a line\n'.repeat(200)]],
    followed: [['board.ts', '// a line\n'.repeat(199)]],
  },
}

const roomOf = (path: string) => path.split('/')[0]?.replace(/\.ts$/, '') ?? ''

const featureOf = (path: string) => (roomOf(path) === 'features' ? path.split('/')[1] : undefined)

/** Returns the paths below src of a file's own imports. */
const ownImports = ({ path, imports }: Source) =>
  imports.filter(name => name.startsWith('.')).map(name => join(dirname(path), name))

const importsPackage = ({ imports }: Source, name: RegExp) => imports.some(imported => name.test(imported))

function isStoreWrite(node: Node) {
  const takes = (from: unknown, what: unknown) => nameOf(from) === 'store' && nameOf(what) === 'write'
  if (isMember(node)) return takes(node.object, node.property)
  return node.type === 'VariableDeclarator' && partsOf(node.id).some(({ key }) => takes(node.init, key))
}

function isEnvironment(node: Node) {
  const holders = ['process', 'Bun', 'meta', 'node:process', 'bun']
  const takes = (from: unknown, what: unknown) =>
    nameOf(what) === 'env' && holders.includes(nameOf(from) ?? '')
  if (isMember(node)) return takes(node.object, node.property)
  if (node.type === 'VariableDeclarator') return partsOf(node.id).some(({ key }) => takes(node.init, key))
  if (node.type === 'ImportDeclaration')
    return partsOf(node).some(({ imported }) => takes(node.source, imported))
  return false
}

/** Returns the parts of `{ a, b }`, destructured or imported. */
function partsOf(value: unknown): Node[] {
  const parts = isNode(value) ? (value.properties ?? value.specifiers) : []
  return Array.isArray(parts) ? parts.filter(isNode) : []
}

function isErrorStatus(node: Node) {
  if (node.type === 'NumericLiteral') return isOneOf(ERROR_STATUSES, node)
  const isNamed = [node.key, node.left, node.callee, node.id].some(name => /status/i.test(nameOf(name) ?? ''))
  const values = [node.value, node.right, node.init, node.arguments].flat()
  return isNamed && values.some(value => isOneOf(ROUND_STATUSES, value))
}

const isOneOf = (numbers: Set<number>, node: unknown) =>
  isNode(node) && node.type === 'NumericLiteral' && numbers.has(Number(node.value))

function isTimeOfDay(node: Node) {
  if (isMember(node))
    return ['Date.now', 'Temporal.Now'].includes(`${nameOf(node.object)}.${nameOf(node.property)}`)
  if (nameOf(node.callee) !== 'Date') return false
  return node.type === 'CallExpression' || (Array.isArray(node.arguments) && node.arguments.length === 0)
}

const SOURCE_FOLDER = `${import.meta.dir}/../src`
const sources = await Promise.all(
  [...new Bun.Glob('**/*.ts').scanSync(SOURCE_FOLDER)].map(async path =>
    readSource(path, await Bun.file(`${SOURCE_FOLDER}/${path}`).text()),
  ),
)

test('sources are found', () => expect(sources).not.toBeEmpty())

test.each(Object.keys(timings.files))('%s, which starts first, exists', async path => {
  expect(await Bun.file(join(import.meta.dir, '..', path)).exists()).toBeTrue()
})

describe.each(Object.entries(RULES))('The rule that %s', (_, { breaks, broken, followed }) => {
  test.each(broken)('is broken by %s in example %#', (path, text) =>
    expect(breaks(readSource(path, text))).toBeTrue(),
  )

  test.each(followed)('is followed by %s in example %#', (path, text) =>
    expect(breaks(readSource(path, text))).toBeFalse(),
  )

  test('is followed in src', () => expect(sources.filter(breaks).map(({ path }) => path)).toEqual([]))
})
