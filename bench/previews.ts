/**
 * `npm run bench:previews [-- POSTINGS.jsonl]`: how many preview images the executable draws per second, and how long
 * reads of jobs take while sixteen clients request images that aren't cached.
 */
import { compareReading, report, TIMES } from './interference.ts'
import { type Outcome, runLoadProcess } from './load.ts'
import { loadPostings } from './postings.ts'
import { fillBoard, type MeasuredServer, startBoard, withFolder } from './servers.ts'

/** The images requested in a round, more than can be drawn. */
const IMAGES = 1000
const VIEWERS = 16
/** In milliseconds. */
const DURATION = 2000

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

/** Requests images that aren't drawn yet. */
async function view({ port }: MeasuredServer, time: number, duration: number): Promise<Outcome> {
  const requests = range(1 + time * IMAGES, IMAGES).map(id => get(`/jobs/${id}.png`))
  const outcome = await runLoadProcess({ port, connections: VIEWERS, duration, requests })
  if (outcome.requests > IMAGES) throw new Error('Some images were requested twice.')
  return outcome
}

const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`

await withFolder(async folder => {
  const board = await startBoard(folder)
  try {
    await fillBoard(board, await loadPostings((TIMES + 1) * IMAGES, process.argv[2]))
    const before = await board.memory()
    report('Images alone', [await view(board, TIMES, DURATION)])
    const reads = range(1, 200).map(id => get(`/jobs/${id}.json`))
    await compareReading(board, reads, `images for ${VIEWERS}`, (duration, time) =>
      view(board, time, duration),
    )
    console.log(`Memory: ${megabytes(before)} before the images, ${megabytes(await board.memory())} after.`)
  } finally {
    await board.stop()
  }
})
