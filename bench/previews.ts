/**
 * `npm run bench:previews [-- POSTINGS.jsonl]`: how many preview images the executable draws in a second, and how long
 * jobs take to read while sixteen clients ask for images that nobody has asked for before. Reading with and without the
 * images takes turns, so that a machine that speeds up or slows down does so for both.
 */
import { loadApart, type Outcome } from './load.ts'
import { loadPostings } from './postings.ts'
import { fillBoard, type Measured, startBoard, withFolder } from './servers.ts'

const ROUNDS = 3
/** More than are drawn in a round. */
const IMAGES_PER_ROUND = 1000
const VIEWERS = 16
/** How jobs are read: by people, who leave most of the machine idle (rests in milliseconds), or for all it is worth. */
const PACES = [
  { name: 'four readers who rest', connections: 4, rest: 5 },
  { name: 'sixteen at full speed', connections: 16, rest: 0 },
]
type Pace = (typeof PACES)[number]
/** In milliseconds. The images begin before the reading, and end after it. */
const DURATION = 2000
const AROUND = 300

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

const JOBS = (ROUNDS * PACES.length + 1) * IMAGES_PER_ROUND

const reading = ({ port }: Measured, { connections, rest }: Pace) =>
  loadApart({
    port,
    connections,
    duration: DURATION,
    requests: range(1, 200).map(id => get(`/jobs/${id}.json`)),
    rest,
  })

/** Asks for the images of one round, none of which is drawn yet. */
async function viewing({ port }: Measured, round: number, duration: number): Promise<Outcome> {
  const jobs = range(1 + round * IMAGES_PER_ROUND, IMAGES_PER_ROUND)
  const outcome = await loadApart({
    port,
    connections: VIEWERS,
    duration,
    requests: jobs.map(id => get(`/jobs/${id}.png`)),
  })
  if (outcome.requests > IMAGES_PER_ROUND) throw new Error('Some images were asked for twice.')
  return outcome
}

async function readingBesideViewing(board: Measured, pace: Pace, round: number): Promise<Outcome> {
  const images = viewing(board, round, DURATION + 2 * AROUND)
  await Bun.sleep(AROUND)
  const reads = await reading(board, pace)
  await images
  return reads
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const ms = (time: number) => `${time.toFixed(2)} ms`
const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`

function tell(name: string, outcomes: readonly Outcome[]) {
  const of = (pick: (outcome: Outcome) => number) => median(outcomes.map(pick))
  const statuses = [...new Set(outcomes.flatMap(outcome => Object.keys(outcome.statuses)))]
  const rate = `${Math.round(of(outcome => outcome.perSecond))} a second`
  const times = `p50 ${ms(of(outcome => outcome.p50))}, p99 ${ms(of(outcome => outcome.p99))}`
  console.log(`${name}: ${rate}, ${times}, answers ${statuses.join(' ')}`)
}

/** Reads without and beside images in turns. */
async function compare(board: Measured, pace: Pace, firstRound: number) {
  const alone: Outcome[] = []
  const beside: Outcome[] = []
  for (const round of range(firstRound, ROUNDS)) {
    alone.push(await reading(board, pace))
    beside.push(await readingBesideViewing(board, pace, round))
  }
  tell(`Jobs to ${pace.name}, nobody asks for images`, alone)
  tell(`Jobs to ${pace.name}, 16 clients ask for images`, beside)
  const ratios = beside.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? NaN))
  console.log(`The p99 beside images is ${median(ratios).toFixed(2)} times that without.`)
}

await withFolder(async folder => {
  const board = await startBoard(folder)
  try {
    await fillBoard(board, await loadPostings(JOBS, process.argv[2]))
    const before = await board.memory()
    tell('Images alone', [await viewing(board, 0, DURATION)])
    for (const [index, pace] of PACES.entries()) await compare(board, pace, 1 + index * ROUNDS)
    console.log(`Memory: ${megabytes(before)} before the images, ${megabytes(await board.memory())} after.`)
  } finally {
    await board.stop()
  }
})
