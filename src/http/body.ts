import { Problem } from '../base/problem.ts'

const MiB = 1024 * 1024

/**
 * Reads a body of at most `limit` bytes. A longer one is refused before it is read if it states its length, else as
 * soon as it passes the limit; the server takes in the rest and throws it away.
 * @param refusal what a longer one is refused with
 * @throws Problem 'malformed' if the sender hangs up
 */
export async function readBody(request: Request, limit: number, refusal = tooLarge): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > limit) throw refusal(limit)
  // One growing buffer: a list of the pieces takes a hundred times their bytes if they come one by one
  const sink = new Bun.ArrayBufferSink()
  let size = 0
  try {
    for await (const piece of request.body ?? []) {
      size += piece.length
      if (size > limit) throw refusal(limit)
      sink.write(piece)
    }
  } catch (fault) {
    throw request.signal.aborted ? new Problem('malformed', 'The body ended before it was whole.') : fault
  }
  const body = sink.end()
  return body instanceof Uint8Array ? body : new Uint8Array(body)
}

const tooLarge = (limit: number) =>
  new Problem('large', `The body is over ${limit / MiB} MiB, the most that is accepted of its type.`)
