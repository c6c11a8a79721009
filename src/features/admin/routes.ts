import { Elysia } from 'elysia'
import type { Desk } from '../desk/desk.ts'
import { Admin } from './admin.ts'
import { analyticsPages } from './analyticsPages.ts'
import { bulkPages } from './bulkPages.ts'
import { changePages } from './changePages.ts'
import { dataPages } from './dataPages.ts'
import { importPages } from './importPages.ts'
import { jobPages } from './jobPages.ts'
import { labelPages } from './labelPages.ts'
import { mailPages } from './mailPages.ts'
import { planPages } from './planPages.ts'
import { settingsPages } from './settingsPages.ts'
import { sourcePages } from './sourcePages.ts'
import { startPage } from './startPage.ts'
import { subscriberPages } from './subscriberPages.ts'
import { userPages } from './userPages.ts'
import { webhookPages } from './webhookPages.ts'

/** Creates the pages for administrators, which use the schemas and actions of the API. */
export function adminRoutes(desk: Desk) {
  const admin = new Admin(desk)
  return new Elysia({ name: 'administration' })
    .get('/admin', ...admin.page(context => startPage(admin, context)))
    .use(jobPages(admin))
    .use(bulkPages(admin))
    .use(labelPages(admin))
    .use(planPages(admin))
    .use(userPages(admin))
    .use(subscriberPages(admin))
    .use(analyticsPages(admin))
    .use(changePages(admin))
    .use(sourcePages(admin))
    .use(mailPages(admin))
    .use(webhookPages(admin))
    .use(dataPages(admin))
    .use(importPages(admin))
    .use(settingsPages(admin))
}
