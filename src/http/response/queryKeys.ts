import type { TObject } from '@sinclair/typebox'
import type { RequestContext } from '../request/context.ts'
import { validateQuery } from './list.ts'

/** Queries that are remembered as they were sent, with their keys. */
const REMEMBERED_AT_MOST = 1000
/** Characters of such a query: nobody sends a longer one twice. */
const REMEMBERED_LENGTH = 512

/**
 * Gives queries that ask for the same the same key, to cache answers by: it holds the values that a schema knows, as they
 * were understood, in the order of the schema. Other parameters, blank values and the order in which they were sent make
 * no difference.
 */
export class QueryKeys {
  private readonly remembered = new Map<string, string>()

  constructor(private readonly schema: TObject) {}

  /**
   * Returns the key of a query, which is a query itself; undefined if a value is not valid.
   * @throws Problem 'malformed' if the query is not UTF-8
   */
  of(context: Pick<RequestContext, 'search' | 'query'>): string | undefined {
    const { search } = context
    if (search === '') return ''
    const known = this.remembered.get(search)
    if (known !== undefined) return known
    const key = this.make(context)
    if (key !== undefined && search.length <= REMEMBERED_LENGTH) this.remember(search, key)
    return key
  }

  private make(context: Pick<RequestContext, 'query'>): string | undefined {
    const draft = validateQuery(context, this.schema)
    if (draft.hasErrors) return undefined
    // what a query is understood as
    const values = draft.values as Readonly<Record<string, string | number | boolean | undefined>>
    const parameters = new URLSearchParams()
    for (const name of Object.keys(this.schema.properties))
      if (values[name] !== undefined) parameters.set(name, String(values[name]))
    return String(parameters)
  }

  private remember(search: string, key: string) {
    if (this.remembered.size >= REMEMBERED_AT_MOST) this.remembered.clear()
    this.remembered.set(search, key)
  }
}
