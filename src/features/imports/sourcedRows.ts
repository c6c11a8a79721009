import type { ParsedJob } from './parsedJob.ts'

/** The jobs of sources among the rows of an import. */
export class SourcedRows {
  private readonly seen = new Set<string>()

  /** Adds an error to a row that is the same job of a source as an earlier one. */
  check({ exported, validation }: ParsedJob): void {
    const [source, externalId] = [exported?.value('source'), exported?.value('external_id')]
    if (source === undefined || externalId === undefined) return
    const key = `${source} ${externalId}`
    if (this.seen.has(key))
      validation.addErrors({ external_id: ['is the same as that of another row of this source'] })
    this.seen.add(key)
  }
}
