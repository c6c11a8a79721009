import type { Board } from '../../src/board.ts'
import { Pages } from '../../src/features/pages/pages.ts'
import { type ListedRoute, listRoutes } from '../../src/http/route.ts'
import { routesOf } from '../../src/server/routes.ts'

/** Every route of a board with pages, by the path that clients use. */
export const routesOfBoard = (board: Board): ListedRoute[] =>
  listRoutes(routesOf(board, new Pages(board)).routes)
