import { withEmail } from '../../http/response/emailList.ts'
import { PER_PAGE } from '../../http/response/paging.ts'
import type { Row } from '../../store/rows.ts'
import type { TableReader } from '../../store/tableReader.ts'

type Query = ReadonlyMap<string, string>

/** Returns a page of a list, and the links to the pages beside it. */
export function pageOfList<T>(
  list: readonly T[],
  path: string,
  query: Query,
): { items: readonly T[]; pager: object } {
  const { offset, pager } = pagerOf(list.length, path, query)
  return { items: list.slice(offset, offset + PER_PAGE), pager }
}

/** Returns a page of a table, the newest rows first. */
export function pageOfRows<R extends Row>(
  table: TableReader<R>,
  path: string,
  query: Query,
): { items: readonly R[]; pager: object } {
  const { offset, pager } = pagerOf(table.count, path, query)
  return { items: table.newest(offset, PER_PAGE), pager }
}

/** Returns a page of the rows whose address contains the `q` of a query, the newest first. */
export function pageOfPeople<R extends Row & { readonly email: string }>(
  table: TableReader<R>,
  path: string,
  query: Query,
): { items: readonly R[]; pager: object } {
  const q = query.get('q') ?? ''
  if (q === '') return pageOfRows(table, path, query)
  return pageOfList(withEmail(table.all(), q).toReversed(), path, query)
}

function pagerOf(count: number, path: string, query: Query): { offset: number; pager: object } {
  const last = Math.max(1, Math.ceil(count / PER_PAGE))
  const asked = Number(query.get('page') ?? 1)
  const page = Number.isInteger(asked) && asked > 0 ? Math.min(asked, last) : 1
  const to = (number: number) => pathWith(path, query, { page: number === 1 ? undefined : String(number) })
  const pager = {
    page,
    last,
    previous_path: page > 1 ? to(page - 1) : '',
    next_path: page < last ? to(page + 1) : '',
  }
  return { offset: (page - 1) * PER_PAGE, pager }
}

/** Returns a path with the values of a query, some of them changed. */
export function pathWith(
  path: string,
  query: Query,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const values = new Map(query)
  values.delete('done')
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) values.delete(name)
    else values.set(name, value)
  const text = String(new URLSearchParams([...values].filter(([, value]) => value !== '')))
  return text === '' ? path : `${path}?${text}`
}
