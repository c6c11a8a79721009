import { Elysia } from 'elysia'
import type { Desk } from './desk.ts'
import { editRoutes } from './editRoutes.ts'
import { jobRoutes } from './jobRoutes.ts'
import { postRoutes } from './postRoutes.ts'
import { settingsRoutes } from './settingsRoutes.ts'
import { signInRoutes } from './signInRoutes.ts'

/** Creates the pages for accounts, which use the schemas and actions of the API. */
export function deskRoutes(desk: Desk) {
  return new Elysia({ name: 'desk' })
    .use(signInRoutes(desk))
    .use(jobRoutes(desk))
    .use(editRoutes(desk))
    .use(postRoutes(desk))
    .use(settingsRoutes(desk))
}
