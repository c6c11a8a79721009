import type { Caller } from '../../base/caller.ts'
import { isAdmin } from '../../base/caller.ts'
import { Reply } from './reply.ts'

/** Adds, for administrators, the seq of the last change that a list contains. It must be read before the list. */
export const withChangeSeq = <T>(caller: Caller, seq: number, list: Reply<T, 200>): Reply<T, 200> =>
  isAdmin(caller)
    ? new Reply<T, 200>(list.body, list.status, { ...list.headers, 'x-change-seq': String(seq) })
    : list
