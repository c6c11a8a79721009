import { expect } from 'bun:test'
import { type Account, TestBoard } from './board.ts'
import { createReferences, jobBody, type References } from './references.ts'

/** The Accept header of a browser that opens a page. */
export const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

/** A board whose pages are read, with the records that jobs refer to. */
export class Website {
  private constructor(
    readonly board: TestBoard,
    readonly admin: Account,
    readonly owner: Account,
    readonly references: References,
  ) {}

  static async open(): Promise<Website> {
    const board = await TestBoard.open('--name', 'Board & <Co>')
    const admin = await board.account('admin@example.com', 'admin')
    const owner = await board.account('owner@example.com')
    return new Website(board, admin, owner, await createReferences(board))
  }

  /** Posts a job of the owner, and returns its id. */
  async post(fields: object = {}): Promise<number> {
    const body = jobBody(this.references, fields)
    const response = await this.board.post('/jobs.json', { as: this.owner, body })
    expect(response.status).toBe(201)
    return ((await response.json()) as { id: number }).id
  }

  /** Returns the HTML of a page. */
  async page(path: string, status = 200): Promise<string> {
    const response = await this.board.get(path, { headers: HTML })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    return await response.text()
  }
}
