import { Reply } from './reply.ts'

/** Returns the header with the seq of the last change that a list contains. The seq must be read before the list. */
export const changeSeqHeader = (seq: number) => ({ 'x-change-seq': String(seq) })

/** Adds this header to a list. */
export const withChangeSeq = <T>(seq: number, list: Reply<T, 200>) =>
  new Reply<T, 200>(list.body, list.status, { ...list.headers, ...changeSeqHeader(seq) })
