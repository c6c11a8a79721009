import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import type { Pages } from '../pages/pages.ts'
import { Desk } from './desk.ts'
import { signInRoutes } from './signInRoutes.ts'

/** Creates the pages for accounts, which use the schemas and actions of the API. */
export function deskRoutes(board: Board, pages: Pages) {
  const desk = new Desk(board, pages)
  return new Elysia({ name: 'desk' }).use(signInRoutes(desk))
}
