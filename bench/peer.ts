/**
 * The peer to compare with, as a good engineer would write it in an afternoon: Bun.serve and bun:sqlite, equally durable
 * (WAL, synchronous=FULL), with prepared statements, FTS5 and stored JSON.
 */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Posting } from './postings.ts'

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table jobs (id integer primary key, created_at text not null, json text not null, etag text not null);
`
const WORDS = `create virtual table words using fts5
  (title, company, location, description, content='', tokenize='unicode61 remove_diacritics 2')`
const FIND = 'select rowid as id from words where words match ? order by bm25(words, 8, 6, 2, 1) limit ?'
const MAX_RESULTS = 20
const JSON_HEADERS = { 'content-type': 'application/json' }

export interface Account {
  readonly email: string
  readonly password: string
}

type Words = Pick<Posting, 'title' | 'company' | 'location' | 'description'>

/** Opens SQLite's search in the usual form: every word must match, the last one also as a prefix, weighted by field. */
export function openWords(file: string | Database) {
  const db = typeof file === 'string' ? new Database(file, { create: true, strict: true }) : file
  db.exec(WORDS)
  const insert = db.query(
    'insert into words (rowid, title, company, location, description) values (?, ?, ?, ?, ?)',
  )
  const find = db.query<{ id: number }, [string, number]>(FIND)
  return {
    add: (id: number, { title, company, location, description }: Words) =>
      void insert.run(id, title, company, location, description),
    search: (q: string, limit: number) => find.all(phraseOf(q), limit).map(({ id }) => id),
  }
}

/** Opens the peer's database in a folder, and returns its request handler. */
export async function openPeer(folder: string, account: Account) {
  const db = new Database(join(folder, 'peer.sqlite'), { create: true, strict: true })
  db.exec(SCHEMA)
  const insertJob = db.query('insert into jobs (created_at, json, etag) values (?, ?, ?) returning id')
  const setJson = db.query('update jobs set json = ?, etag = ? where id = ?')
  const words = openWords(db)
  const one = db.query<{ json: string; etag: string }, [number]>('select json, etag from jobs where id = ?')
  const all = db.query<{ json: string }, []>('select json from jobs order by created_at desc, id desc')
  const page = db.query<{ json: string }, [number, number]>(
    'select json from jobs order by created_at desc, id desc limit ? offset ?',
  )
  const add = db.transaction((posting: Posting) => {
    const createdAt = new Date().toISOString()
    const { id } = insertJob.get(createdAt, '', '') as { id: number } // the statement returns the id
    const json = JSON.stringify({ id, ...posting, created_at: createdAt })
    setJson.run(json, `"${Bun.hash(json).toString(36)}"`, id)
    words.add(id, posting)
    return json
  })

  const hash = await Bun.password.hash(account.password)
  const verified = new Set<string>()
  async function mayPost(header: string | null): Promise<boolean> {
    if (header === null || verified.has(header)) return header !== null
    const [email, password = ''] = Buffer.from(header.slice('Basic '.length), 'base64').toString().split(':')
    if (email !== account.email || !(await Bun.password.verify(password, hash))) return false
    verified.add(header)
    return true
  }

  const list = (rows: { json: string }[]) =>
    new Response(`[${rows.map(row => row.json).join(',')}]`, { headers: JSON_HEADERS })

  function readJob(request: Request, id: number) {
    const row = one.get(id)
    if (!row) return Response.json({ error: 'not found' }, { status: 404 })
    const headers = { ...JSON_HEADERS, etag: row.etag }
    if (request.headers.get('if-none-match') === row.etag) return new Response(null, { status: 304, headers })
    return new Response(row.json, { headers })
  }

  function readList(query: URLSearchParams) {
    const q = query.get('q')
    if (q !== null) return list(words.search(q, MAX_RESULTS).flatMap(id => one.get(id) ?? []))
    const perPage = query.get('per_page')
    if (perPage === null) return list(all.all())
    const size = Number(perPage)
    return list(page.all(size, (Number(query.get('page') ?? 1) - 1) * size))
  }

  return {
    add,
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url)
      const id = /^\/jobs\/(\d+)\.json$/.exec(url.pathname)?.[1]
      if (id !== undefined) return readJob(request, Number(id))
      if (url.pathname !== '/jobs.json') return Response.json({ error: 'not found' }, { status: 404 })
      if (request.method === 'GET') return readList(url.searchParams)
      if (!(await mayPost(request.headers.get('authorization')))) return new Response(null, { status: 401 })
      const posting = (await request.json()) as Posting // no validation in an afternoon
      return new Response(add(posting), { status: 201, headers: JSON_HEADERS })
    },
  }
}

/** Returns a query for every word, the last one also as a prefix. */
function phraseOf(q: string): string {
  const words = q.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word, index) => `"${word}"${index === words.length - 1 ? '*' : ''}`).join(' ')
}

// as a program: reads folder, account and postings from standard input, and prints its port
if (import.meta.main) {
  const { folder, account, postings } = (await Bun.stdin.json()) as {
    folder: string
    account: Account
    postings: Posting[]
  }
  const peer = await openPeer(folder, account)
  for (const posting of postings) peer.add(posting)
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => peer.fetch(request) })
  process.stdout.write(`${server.port}\n`)
}
