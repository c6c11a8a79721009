import { basic } from '../helpers/board.ts'
import { formOf, logoFile } from '../helpers/forms.ts'
import { png } from '../helpers/pictures.ts'
import { Corkboard } from '../helpers/process.ts'
import type { Random } from './seeded.ts'

export const EMAIL = 'ada@example.com'
const PASSWORD = 'correct horse'
export const AUTHORIZATION = basic(EMAIL, PASSWORD)
const VARIABLES = { CORKBOARD_ADMIN_EMAIL: EMAIL, CORKBOARD_ADMIN_PASSWORD: PASSWORD }

interface Start {
  readonly flags?: readonly string[]
  /** A module that is loaded before the program, to break it. */
  readonly preload?: string
}

/** Starts a server on a free port, in a folder. */
export const serve = (folder: string, { flags = [], ...how }: Start = {}) =>
  new Corkboard(['serve', '--port', '0', '--log-level', 'error', ...flags], {
    folder,
    variables: VARIABLES,
    ...how,
  })

/** The state of a job, as far as clients know it. */
export interface Known {
  /** The acknowledged state; undefined for a deleted job. */
  title: string | undefined
  /** The titles that it may have instead, because these requests had no response. */
  readonly open: (string | undefined)[]
  readonly category: number
}

/**
 * Writes to a board continuously through HTTP: creates, changes and deletes of jobs with and without logos, and deletes of
 * categories with all their jobs. Records what was acknowledged.
 */
export class Load {
  readonly jobs = new Map<number, Known>()
  /** Categories, and whether their delete was acknowledged, is open, or wasn't requested. */
  readonly categories = new Map<number, 'there' | 'going' | 'gone'>()
  /** Every id that was assigned, as often as it was. */
  readonly ids: number[] = []
  acknowledged = 0
  private isOver = false
  private count = 0

  constructor(
    private readonly url: string,
    private readonly random: Random,
  ) {}

  /** Creates what jobs refer to, if it doesn't exist yet. */
  async prepare(): Promise<void> {
    for (const [path, name] of [
      ['terms', 'Full time'],
      ['plans', 'Basic'],
    ] as const)
      if (((await (await this.send('GET', `/${path}.json`)).json()) as unknown[]).length === 0)
        await this.send('POST', `/${path}.json`, JSON.stringify({ name }))
    await this.addCategory()
    await this.addCategory()
  }

  /** Runs so many clients until `stop` is called or the server ends. */
  async run(clients: number): Promise<void> {
    this.isOver = false
    await Promise.all(Array.from({ length: clients }, () => this.client()))
  }

  stop(): void {
    this.isOver = true
  }

  private async client() {
    while (!this.isOver) {
      try {
        await this.act()
      } catch (error) {
        if (error instanceof Full) continue
        if (error instanceof Refused) throw error
        return // the connection broke: the result is unknown
      }
    }
  }

  private async act() {
    const dice = this.random(100)
    if (dice < 3) await this.addCategory()
    else if (dice < 5) await this.removeCategory()
    else if (dice < 55) await this.addJob(dice < 25)
    else if (dice < 85) await this.changeJob(dice < 65)
    else await this.removeJob()
  }

  private async addCategory() {
    const { id } = await this.make(
      '/categories.json',
      JSON.stringify({ name: `Category ${crypto.randomUUID()}` }),
    )
    this.categories.set(id, 'there')
  }

  private async removeCategory() {
    const id = this.pick([...this.categories].filter(([, state]) => state === 'there').map(([key]) => key))
    if (id === undefined || this.categories.size < 3) return
    this.categories.set(id, 'going')
    const response = await this.send('DELETE', `/categories/${id}.json`)
    this.categories.set(id, response.ok ? 'gone' : 'there')
    await response.arrayBuffer()
  }

  private async addJob(withLogo: boolean) {
    const category = this.pick(
      [...this.categories].filter(([, state]) => state === 'there').map(([key]) => key),
    )
    if (category === undefined) return
    const title = `Job ${(this.count += 1)} ${crypto.randomUUID()}`
    const response = await this.send(
      'POST',
      '/jobs.json',
      this.form({ ...JOB, title, category_id: String(category) }, withLogo),
    )
    if (response.status === 422) {
      await response.arrayBuffer() // its category was deleted
      return
    }
    const { id } = (await this.expect(response, 201)) as { id: number }
    this.ids.push(id)
    this.jobs.set(id, { title, open: [], category })
    this.acknowledged++
  }

  private async changeJob(withLogo: boolean) {
    const title = `Changed ${(this.count += 1)}`
    await this.alter('PUT', title, this.form({ title }, withLogo))
  }

  private async removeJob() {
    await this.alter('DELETE', undefined)
  }

  /** Changes a job's title, or deletes it. Until the response, it may have either state. */
  private async alter(method: string, title: string | undefined, body?: FormData) {
    const quiet = [...this.jobs].filter(([, job]) => job.title !== undefined && job.open.length === 0)
    const [id, job] = this.pick(quiet) ?? []
    if (!job) return
    job.open.push(title)
    const response = await this.send(method, `/jobs/${id}.json`, body)
    await response.arrayBuffer()
    job.open.pop()
    if (!response.ok) return
    job.title = title
    this.acknowledged++
  }

  private form(fields: Record<string, string>, withLogo: boolean): FormData {
    const side = 1 + this.random(60)
    return formOf(withLogo ? { ...fields, logo: logoFile(png(side, side)) } : fields)
  }

  private pick<T>(from: readonly T[]): T | undefined {
    return from[this.random(from.length)]
  }

  private async make(path: string, body: string): Promise<{ id: number }> {
    const response = await this.expect(await this.send('POST', path, body), 201)
    this.acknowledged++
    return response as { id: number } // as the interface says
  }

  private async expect(response: Response, status: number): Promise<unknown> {
    const text = await response.text()
    if (response.status === 507) throw new Full(text)
    if (response.status !== status) throw new Refused(`${response.status}: ${text}`)
    return JSON.parse(text)
  }

  private send(method: string, path: string, body?: string | FormData): Promise<Response> {
    const headers: Record<string, string> = { authorization: AUTHORIZATION }
    if (typeof body === 'string') headers['content-type'] = 'application/json'
    return fetch(`${this.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  }
}

/** The server responded that the disk is full. */
class Full extends Error {}

/** The server sent a wrong response. */
export class Refused extends Error {}

export const JOB = {
  description: 'Words, '.repeat(300),
  location: 'Lisbon',
  company: 'Acme',
  term_id: '1',
  plan_id: '1',
  company_website: 'https://acme.example',
  application_url: 'https://acme.example/apply',
}
