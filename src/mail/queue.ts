/** The mails that wait, in the order in which they are to be tried: those that somebody waits for before the others. */
export class MailQueue {
  private readonly urgent = new Map<number, number>()
  private readonly normal = new Map<number, number>()

  /** @param dueAt when it is to be tried; until then those behind it come first */
  add(id: number, dueAt: number, isUrgent: boolean): void {
    this.remove(id)
    const line = isUrgent ? this.urgent : this.normal
    line.set(id, dueAt)
  }

  remove(id: number): void {
    this.urgent.delete(id)
    this.normal.delete(id)
  }

  /** Takes the next that is due out of the line; undefined if none is. */
  takeDue(now: number): number | undefined {
    for (const line of [this.urgent, this.normal])
      for (const [id, dueAt] of line)
        if (dueAt <= now) {
          line.delete(id)
          return id
        }
    return undefined
  }
}
