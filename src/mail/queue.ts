/** The mails that wait, in the order in which they are to be tried: those that somebody waits for before the others. */
export class MailQueue {
  private readonly urgent = new Map<number, number>()
  private readonly patient = new Map<number, number>()

  /** @param dueAt when it is to be tried; until then those behind it come first */
  put(id: number, dueAt: number, isUrgent: boolean): void {
    this.drop(id)
    const line = isUrgent ? this.urgent : this.patient
    line.set(id, dueAt)
  }

  drop(id: number): void {
    this.urgent.delete(id)
    this.patient.delete(id)
  }

  /** Takes the next that is due out of the line; undefined if none is. */
  take(now: number): number | undefined {
    for (const line of [this.urgent, this.patient])
      for (const [id, dueAt] of line)
        if (dueAt <= now) {
          line.delete(id)
          return id
        }
    return undefined
  }
}
