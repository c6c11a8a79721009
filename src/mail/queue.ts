/** The ids of the mails to be sent, and of those that failed. Urgent mails, which people are waiting for, come first. */
export class MailQueue {
  private readonly urgent = new Map<number, number>()
  private readonly normal = new Map<number, number>()
  private readonly failedIds = new Set<number>()

  /** The mails that are not tried again. */
  get failed(): ReadonlySet<number> {
    return this.failedIds
  }

  /** The number of mails to be sent. */
  get waiting(): number {
    return this.urgent.size + this.normal.size
  }

  /** Adds a mail, or changes its place. @param dueAt the earliest time to send it; until then, others come first */
  add(id: number, dueAt: number, isUrgent: boolean): void {
    this.remove(id)
    const queue = isUrgent ? this.urgent : this.normal
    queue.set(id, dueAt)
  }

  /** Adds a mail that is not tried again. */
  addFailed(id: number): void {
    this.remove(id)
    this.failedIds.add(id)
  }

  remove(id: number): void {
    this.urgent.delete(id)
    this.normal.delete(id)
    this.failedIds.delete(id)
  }

  /** Removes and returns the next mail that is due; undefined if there is none. */
  takeDue(now: number): number | undefined {
    for (const queue of [this.urgent, this.normal])
      for (const [id, dueAt] of queue)
        if (dueAt <= now) {
          queue.delete(id)
          return id
        }
    return undefined
  }
}
