/** The searchable texts of a job: its own, and the names of its category and term. */
export interface SearchableJob {
  readonly id: number
  readonly title: string
  readonly company: string
  readonly location: string
  readonly description: string
  readonly arrangement: string
  readonly category: string
  readonly term: string
}

/** The jobs that an index follows. */
export interface SearchSource {
  /**
   * Returns the searchable texts of a job as it is now, or undefined if it must not be found.
   * @throws Error if the job can't be read
   */
  read(id: number): SearchableJob | undefined
  /** Returns the hash of every job that can be found, by its id. */
  hashes(): ReadonlyMap<number, number>
  /** Calls `markChanged` with the jobs that can be found or not found by now, because time has passed. */
  refresh?(): void
  /** Frees the memory used to read all jobs. Called when the index of a new thread is up to date. */
  releaseMemory?(): void
}

/** The fields of a job, most important first. A term is indexed once, in the first field that has it. */
export const FIELDS = ['title', 'company', 'location', 'rest'] as const
export type SearchField = (typeof FIELDS)[number]
/** The number of fields that name a job: its title and its company. */
export const NAME_FIELDS = 2

/** The job's own texts, without the names of its category and term. */
type OwnTexts = Pick<SearchableJob, 'title' | 'company' | 'location' | 'arrangement' | 'description'>

const HASH_BITS = 53

/** Returns a hash of the job's own texts, to detect changes. */
export const hashOfTexts = ({ title, company, location, arrangement, description }: OwnTexts) =>
  // A description is long, so it is hashed without copying it, and its hash with the other texts.
  hash(`${title}\0${company}\0${location}\0${arrangement}`, Bun.hash.wyhash(description))

/** Returns a hash of all searchable texts. */
export const hashOfJob = (textHash: number, category: string, term: string) =>
  hash(`${textHash}\0${category}\0${term}`)

const hash = (text: string, seed?: bigint) => Number(BigInt.asUintN(HASH_BITS, Bun.hash.wyhash(text, seed)))
