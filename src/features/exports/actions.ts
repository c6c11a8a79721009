import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import type { Board } from '../../board.ts'
import type { RequestContext } from '../../http/request/context.ts'
import { downloadName, replyWithDownload } from '../../http/response/download.ts'
import type { Reply } from '../../http/response/reply.ts'
import { writeDurably } from '../../store/durable.ts'
import { withWorkFolder } from '../../store/workFolder.ts'
import { writeExport } from './lines.ts'

export const EXPORT_TYPE = 'application/x-ndjson'

/** Replies with an export of the board as it is now. @throws Problem 'busy', 'full' */
export function replyWithExport(board: Board, context: RequestContext): Promise<Reply<Blob, 200>> {
  const { config, clock, tasks } = board
  return replyWithDownload(context, tasks, {
    kind: 'export',
    name: downloadName(config.name, clock(), 'jsonl'),
    type: EXPORT_TYPE,
    create: signal => createExport(board, signal),
  })
}

/** Creates an export in a file without a name, so that a slow client doesn't keep the snapshot open. */
const createExport = ({ store, images }: Board, signal: AbortSignal) =>
  withWorkFolder(store.folder, async folder => {
    const path = join(folder, 'export')
    await writeDurably(path, file =>
      writeExport({ store, logos: images.logos }, text => {
        signal.throwIfAborted()
        store.requireSpace(text.length)
        return file.writeFile(text)
      }),
    )
    return await fs.open(path, 'r')
  })
