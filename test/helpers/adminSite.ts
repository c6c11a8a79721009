import { type Account, TestBoard } from './board.ts'
import { createReferences, jobBody, type References } from './references.ts'
import { jsonObject } from './responses.ts'
import { Visitor } from './visitor.ts'

/** A board with a signed-in administrator, and an employer. */
export class AdminSite {
  private constructor(
    readonly board: TestBoard,
    readonly admin: Account,
    readonly owner: Account,
    readonly references: References,
    /** The administrator's browser. */
    readonly browser: Visitor,
  ) {}

  static async open(...flags: string[]): Promise<AdminSite> {
    const board = await TestBoard.open(...flags)
    const admin = await board.account('admin@example.com', 'admin')
    const owner = await board.account('owner@example.com')
    const browser = new Visitor(board)
    await browser.signIn(admin.email)
    return new AdminSite(board, admin, owner, await createReferences(board), browser)
  }

  /** Posts a job of the employer, and returns its id. */
  async post(fields: object = {}): Promise<number> {
    const body = jobBody(this.references, fields)
    const job = await jsonObject(this.board.post('/jobs.json', { as: this.owner, body }))
    return Number(job['id'])
  }

  /** Reads a job as administrators see it. */
  job(id: number): Promise<Record<string, unknown>> {
    return jsonObject(this.board.get(`/jobs/${id}.json`, { as: this.admin }))
  }

  /** Opens a page with a form, fills in fields, and sends it. */
  async fill(path: string, fields: Readonly<Record<string, string | Blob>> = {}) {
    await this.browser.get(path)
    return await this.browser.submit(path, fields)
  }
}
