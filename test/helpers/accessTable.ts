import { REQUIRED_FIELDS } from './fixtures.ts'

export const CALLERS = ['nobody', 'a user', 'the owner', 'another user', 'an administrator'] as const
export type Caller = (typeof CALLERS)[number]

/** The statuses that the callers get, in the order of CALLERS. */
type Statuses = readonly [nobody: number, user: number, owner: number, another: number, admin: number]
type Row = readonly [method: string, path: string, statuses: Statuses, body?: object]

const OPEN: Statuses = [200, 200, 200, 200, 200]
const SIGNED_IN: Statuses = [401, 200, 200, 200, 200]
const OWNERS: Statuses = [401, 403, 200, 403, 200]
/** For things that not everybody sees: callers who may not change them get 404. */
const HIDDEN: Statuses = [401, 404, 200, 404, 200]
const SEEN_BY_OWNERS: Statuses = [404, 404, 200, 404, 200]
const ADMINS: Statuses = [401, 403, 403, 403, 200]
/** The board of this table sends no mail. */
const WITHOUT_MAIL: Statuses = [401, 403, 403, 403, 409]
const MAKE: Statuses = [401, 403, 403, 403, 201]
/** Every caller gets the same response, whether it had an effect or not. */
const HEARD: Statuses = [202, 202, 202, 202, 202]
const ABSENT_TO_ALL: Statuses = [404, 404, 404, 404, 404]
const ABSENT: Statuses = [401, 404, 404, 404, 404]
const ABSENT_TO_ADMINS: Statuses = [401, 403, 403, 403, 404]

/** The pages for accounts require a session. Credentials of the API don't count there. */
const SIGN_IN_FIRST: Statuses = [303, 303, 303, 303, 303]
const REJECTED: Statuses = [422, 422, 422, 422, 422]

const NAME = { name: 'A new name' }
const NOBODY = 999_999

/** Pages for administrators need a session, which test/admin has. */
const adminPage = (path: string): Row => ['GET', `/admin${path}`, SIGN_IN_FIRST]
const adminForm = (path: string): Row => ['POST', `/admin${path}`, SIGN_IN_FIRST]

/**
 * Every caller × every endpoint. Names in braces are created anew for each row and caller: the jobs belong to `the owner`,
 * who is also the account `{owner}`; the plan `{full}` has a job, `{logo}` is its logo, and `{token}` is unknown.
 */
export const TABLE: readonly Row[] = [
  ['GET', '/health.json', OPEN],
  ['GET', '/logos/{logo}', OPEN],
  ['GET', '/metrics', OPEN],
  ['GET', '/openapi.json', OPEN],
  ['GET', '/docs', OPEN],
  ['GET', '/docs/none.css', ABSENT_TO_ALL],

  ['GET', '/', OPEN],
  ['GET', '/jobs/{job}', OPEN],
  ['GET', '/jobs/{pending}', SEEN_BY_OWNERS],
  ['GET', '/subscribe', OPEN],
  ['GET', '/feed.xml', OPEN],
  ['GET', '/feed.json', OPEN],
  ['GET', '/feed/indeed.xml', OPEN],
  ['GET', '/feed/linkedin.xml', OPEN],
  ['GET', '/feed/jooble.xml', OPEN],
  ['GET', '/sitemap.xml', OPEN],
  ['GET', '/robots.txt', OPEN],
  ['GET', '/pages/none.css', ABSENT_TO_ALL],
  ['GET', '/structured-data.json', ADMINS],

  ['GET', '/changes.json', ADMINS],
  ['GET', '/jobs/changes.json', OPEN],

  ['GET', '/jobs.json', OPEN],
  ['GET', '/jobs.json?status=all', SIGNED_IN],
  ['GET', '/jobs.json?mine=true', SIGNED_IN],
  ['POST', '/jobs.json', [401, 201, 201, 201, 201], REQUIRED_FIELDS],
  ['GET', '/jobs/{job}.json', OPEN],
  ['GET', '/jobs/{expired}.json', SEEN_BY_OWNERS],
  ['GET', '/jobs/{pending}.json', SEEN_BY_OWNERS],
  ['GET', '/jobs/{job}.png', OPEN],
  ['PUT', '/jobs/{job}.json', OWNERS, { title: 'Another title' }],
  ['PUT', '/jobs/{expired}.json', HIDDEN, { title: 'Another title' }],
  ['PUT', '/jobs/{pending}.json', HIDDEN, { title: 'Another title' }],
  ['DELETE', '/jobs/{job}.json', OWNERS],
  ['DELETE', '/jobs/{expired}.json', HIDDEN],
  ['DELETE', '/jobs/{pending}.json', HIDDEN],
  ['PUT', '/jobs/{orphan}.json', [401, 403, 403, 403, 200], { title: 'Another title' }],
  ['DELETE', '/jobs/{orphan}.json', [401, 403, 403, 403, 200]],
  ['PUT', '/jobs/{pending}/approve.json', ADMINS],
  ['GET', '/jobs/{job}/stats.json', OWNERS],
  ['GET', '/jobs/{expired}/stats.json', HIDDEN],
  ['GET', '/jobs/{orphan}/stats.json', [401, 403, 403, 403, 200]],
  ['GET', `/jobs/${NOBODY}/stats.json`, ABSENT],
  ['GET', '/jobs/{job}/apply', [302, 302, 302, 302, 302]],
  ['GET', '/jobs/{expired}/apply', [410, 410, 410, 410, 410]],
  ['GET', '/jobs/{pending}/apply', ABSENT_TO_ALL],
  ['GET', `/jobs/${NOBODY}/apply`, ABSENT_TO_ALL],
  ['PUT', '/jobs/{pending}/refuse.json', ADMINS, { reason: 'Incomplete' }],
  ['PUT', '/jobs/{pending}/submit.json', HIDDEN],
  ['PUT', '/jobs/{job}/submit.json', OWNERS],
  ['PUT', '/jobs/{job}/fill.json', OWNERS],
  ['PUT', '/jobs/{job}/close.json', OWNERS],
  ['PUT', '/jobs/{job}/reopen.json', OWNERS],
  ['PUT', '/jobs/{expired}/renew.json', HIDDEN, {}],
  ['POST', '/jobs/{job}/duplicate.json', [401, 403, 201, 403, 201]],
  ['GET', '/jobs/{job}/renew.json?token={token}', ABSENT_TO_ALL],
  ['POST', '/jobs/{job}/renew.json?token={token}', ABSENT_TO_ALL],
  ['GET', '/jobs/{job}/renew?token={token}', ABSENT_TO_ALL],
  ['POST', '/jobs/{job}/renew?token={token}', ABSENT_TO_ALL],
  ['GET', `/jobs/${NOBODY}.json`, ABSENT_TO_ALL],
  ['PUT', `/jobs/${NOBODY}.json`, ABSENT],
  ['DELETE', `/jobs/${NOBODY}.json`, ABSENT],
  ['PUT', `/jobs/${NOBODY}/approve.json`, ABSENT_TO_ADMINS],

  ['POST', '/jobs/batch.json', SIGNED_IN, { operations: [] }],
  // Each account uses a source of its own.
  ['PUT', '/sources/s{job}/jobs/1.json', [401, 201, 201, 201, 201], REQUIRED_FIELDS],
  ['DELETE', '/sources/s{job}/jobs/1.json', ABSENT],
  ['GET', '/sources.json', SIGNED_IN],
  ['GET', '/sources/s{job}/runs.json', ABSENT],
  ['POST', '/sources/s{job}/sync.json', [401, 415, 415, 415, 415]],

  ...['categories', 'terms'].flatMap((name): Row[] => [
    ['GET', `/${name}.json`, SIGNED_IN],
    ['POST', `/${name}.json`, MAKE, NAME],
    ['GET', `/${name}/{empty}.json`, SIGNED_IN],
    ['PUT', `/${name}/{empty}.json`, ADMINS, NAME],
    ['DELETE', `/${name}/{empty}.json`, ADMINS],
    ['DELETE', `/${name}/{full}.json`, ADMINS],
    ['GET', `/${name}/${NOBODY}.json`, ABSENT],
    ['PUT', `/${name}/${NOBODY}.json`, ABSENT_TO_ADMINS, NAME],
    ['DELETE', `/${name}/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ]),

  ['GET', '/plans.json', SIGNED_IN],
  ['GET', '/plans.json?status=active', SIGNED_IN],
  ['GET', '/plans.json?status=archived', ADMINS],
  ['GET', '/plans.json?status=all', ADMINS],
  ['POST', '/plans.json', MAKE, NAME],
  ['GET', '/plans/{empty}.json', SIGNED_IN],
  ['GET', '/plans/{archived}.json', [401, 404, 404, 404, 200]],
  ['PUT', '/plans/{empty}.json', ADMINS, NAME],
  ['PUT', '/plans/{empty}/archive.json', ADMINS],
  ['PUT', '/plans/{archived}/archive.json', ADMINS],
  ['PUT', '/plans/{archived}/activate.json', ADMINS],
  ['PUT', '/plans/{empty}/activate.json', ADMINS],
  ['DELETE', '/plans/{empty}.json', ADMINS],
  ['DELETE', '/plans/{full}.json', [401, 403, 403, 403, 409]],
  ['GET', `/plans/${NOBODY}.json`, ABSENT],
  ['PUT', `/plans/${NOBODY}.json`, ABSENT_TO_ADMINS, NAME],
  ['PUT', `/plans/${NOBODY}/archive.json`, ABSENT_TO_ADMINS],
  ['PUT', `/plans/${NOBODY}/activate.json`, ABSENT_TO_ADMINS],
  ['DELETE', `/plans/${NOBODY}.json`, ABSENT_TO_ADMINS],

  ['GET', '/users.json', ADMINS],
  ['POST', '/users.json', MAKE, { email: 'new@example.com', password: 'long enough' }],
  ['GET', '/users/me.json', SIGNED_IN],
  ['GET', '/users/{owner}.json', OWNERS],
  ['PUT', '/users/{owner}.json', OWNERS, { role: 'user' }],
  ['PUT', '/users/{leaver}.json', ADMINS, { role: 'admin' }],
  ['DELETE', '/users/{leaver}.json', ADMINS],
  ['GET', '/users/confirm.json?token={token}', ABSENT_TO_ALL],
  ['POST', '/users/confirm.json?token={token}', ABSENT_TO_ALL],
  ['GET', `/users/${NOBODY}.json`, [401, 403, 403, 403, 404]],
  ['PUT', `/users/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['DELETE', `/users/${NOBODY}.json`, ABSENT_TO_ADMINS],

  ['GET', '/subscribers.json', ADMINS],
  ['POST', '/subscribers.json', HEARD, { email: 'new@example.com' }],
  ['GET', '/subscribers/{subscriber}.json', ADMINS],
  ['PUT', '/subscribers/{subscriber}.json', ADMINS, { email_confirmed: true }],
  ['DELETE', '/subscribers/{subscriber}.json', ADMINS],
  ['GET', `/subscribers/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['PUT', `/subscribers/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['DELETE', `/subscribers/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['GET', '/subscribers/confirm.json?token={token}', ABSENT_TO_ALL],
  ['POST', '/subscribers/confirm.json?token={token}', ABSENT_TO_ALL],
  ['GET', '/subscribers/unsubscribe.json?token={token}', ABSENT_TO_ALL],
  ['POST', '/subscribers/unsubscribe.json?token={token}', ABSENT_TO_ALL],

  ['GET', '/tokens.json', SIGNED_IN],
  ['GET', '/webhooks.json', ADMINS],
  ['POST', '/webhooks.json', MAKE, { url: 'https://nowhere.invalid/', status: 'disabled' }],
  ['GET', '/webhooks/{webhook}.json', ADMINS],
  ['PUT', '/webhooks/{webhook}.json', ADMINS, { description: 'Newsletter' }],
  ['PUT', '/webhooks/{webhook}/rotate.json', ADMINS],
  ['POST', '/webhooks/{webhook}/test.json', ADMINS],
  ['GET', '/webhooks/{webhook}/deliveries.json', ADMINS],
  ['POST', '/webhooks/{webhook}/replay.json', ADMINS, { after: 1 }],
  ['DELETE', '/webhooks/{webhook}.json', ADMINS],
  ['GET', `/webhooks/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['PUT', `/webhooks/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['DELETE', `/webhooks/${NOBODY}.json`, ABSENT_TO_ADMINS],

  ['POST', '/tokens.json', [401, 201, 201, 201, 201], { name: 'Import', scopes: ['jobs:write'] }],
  ['GET', `/tokens/${NOBODY}.json`, ABSENT],
  ['DELETE', `/tokens/${NOBODY}.json`, ABSENT],
  ['GET', '/analytics/funnel.json', ADMINS],
  ['GET', '/settings.json', ADMINS],
  ['PUT', '/settings.json', ADMINS, { name: 'Another board' }],
  ['GET', '/imports.json', ADMINS],
  ['POST', '/imports.json', [401, 403, 403, 403, 202], { title: 7 }],
  ['GET', `/imports/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['GET', '/export.jsonl', ADMINS],
  ['GET', '/backup.tar', ADMINS],
  ['GET', '/backups.json', ADMINS],
  ['POST', '/backups.json', [401, 403, 403, 403, 409]],
  ['GET', '/mails.json', ADMINS],
  ['POST', '/mails/test.json', WITHOUT_MAIL],
  ['PUT', '/mails/{mail}/resend.json', WITHOUT_MAIL],
  ['DELETE', '/mails/{mail}.json', ADMINS],
  ['DELETE', `/mails/${NOBODY}.json`, ABSENT_TO_ADMINS],
  ['GET', '/analytics.json', ADMINS],
  ['POST', '/events.json', HEARD, { path: '/welcome' }],

  ['POST', '/password-resets.json', HEARD, { email: 'owner@example.com' }],
  ['PUT', '/password-resets/{token}.json', ABSENT_TO_ALL, { password: 'long enough' }],

  ['POST', '/subscribe', HEARD, { email: 'new@example.com' }],
  ['GET', '/subscribers/confirm?token={token}', ABSENT_TO_ALL],
  ['POST', '/subscribers/confirm?token={token}', ABSENT_TO_ALL],
  ['GET', '/subscribers/unsubscribe?token={token}', ABSENT_TO_ALL],
  ['POST', '/subscribers/unsubscribe?token={token}', ABSENT_TO_ALL],
  ['GET', '/users/confirm?token={token}', ABSENT_TO_ALL],
  ['POST', '/users/confirm?token={token}', ABSENT_TO_ALL],
  ['GET', '/reset/{token}', ABSENT_TO_ALL],
  ['POST', '/reset/{token}', ABSENT_TO_ALL, { password: 'long enough' }],

  ['GET', '/sign-in', OPEN],
  ['POST', '/sign-in', REJECTED],
  ['POST', '/sign-in/link', REJECTED],
  ['GET', '/sign-in/confirm?token={token}', ABSENT_TO_ALL],
  ['POST', '/sign-in/confirm?token={token}', ABSENT_TO_ALL],
  ['GET', '/sign-out', OPEN],
  ['POST', '/sign-out', SIGN_IN_FIRST],
  ['GET', '/forgot', OPEN],
  ['POST', '/forgot', REJECTED],

  ...['', '/inbox', '/jobs', '/jobs/bulk', '/jobs/{job}/refuse', '/jobs/{job}/delete'].map(adminPage),
  ...['/categories', '/terms', '/plans'].flatMap(path => [
    adminPage(path),
    adminPage(`${path}/{full}/edit`),
    adminPage(`${path}/{full}/delete`),
  ]),
  adminPage('/plans/new'),
  adminPage('/settings'),
  adminPage('/analytics'),
  adminPage('/analytics.csv'),
  ...['/mail', '/mail/{mail}/delete'].map(adminPage),
  ...['/mail/test', '/mail/{mail}/resend', '/mail/{mail}/delete'].map(adminForm),
  ...['', '/new', '/{webhook}'].map(path => adminPage(`/webhooks${path}`)),
  ...['edit', 'replay', 'secret', 'delete'].map(form => adminPage(`/webhooks/{webhook}/${form}`)),
  ...['edit', 'replay', 'secret', 'delete', 'enable', 'disable', 'test'].map(form =>
    adminForm(`/webhooks/{webhook}/${form}`),
  ),
  adminForm('/webhooks/new'),
  ...['/changes', '/changes/1/put-back', '/sources', '/sources/1'].map(adminPage),
  adminForm('/changes/1/put-back'),
  ...['', '/export', '/backup', '/import', `/imports/${NOBODY}`].map(path => adminPage(`/data${path}`)),
  ...['/data/import', `/data/imports/${NOBODY}/import`, '/data/backup'].map(adminForm),
  ...['/users', '/users.csv', '/users/new', '/users/{leaver}/edit', '/users/{leaver}/delete'].map(adminPage),
  ...['/users/new', '/users/{leaver}/edit', '/users/{leaver}/confirm', '/users/{leaver}/delete'].map(
    adminForm,
  ),
  ...['', '.csv', '/new', '/{subscriber}/delete'].map(path => adminPage(`/subscribers${path}`)),
  ...['/new', '/{subscriber}/confirm', '/{subscriber}/resend', '/{subscriber}/delete'].map(path =>
    adminForm(`/subscribers${path}`),
  ),
  ...['/jobs/bulk', '/jobs/{job}/approve', '/jobs/{job}/refuse', '/jobs/{job}/delete'].map(adminForm),
  ...['/categories', '/terms'].map(adminForm),
  ...['/categories', '/terms', '/plans'].flatMap(path => [
    adminForm(`${path}/{full}/edit`),
    adminForm(`${path}/{full}/delete`),
  ]),
  ...['/plans/new', '/plans/{full}/archive', '/plans/{full}/activate', '/settings'].map(adminForm),

  ['GET', '/account', SIGN_IN_FIRST],
  ['GET', '/account/jobs/{job}', SIGN_IN_FIRST],
  ...['edit', 'submit', 'renew', 'fill', 'close', 'reopen', 'duplicate', 'delete'].flatMap((verb): Row[] => [
    ['GET', `/account/jobs/{job}/${verb}`, SIGN_IN_FIRST],
    ['POST', `/account/jobs/{job}/${verb}`, SIGN_IN_FIRST],
  ]),
  ['GET', '/post', SIGN_IN_FIRST],
  ['POST', '/post', SIGN_IN_FIRST],
  ['POST', '/post/preview', SIGN_IN_FIRST],
  ['GET', '/post/confirm?token={token}', ABSENT_TO_ALL],
  ['POST', '/post/confirm?token={token}', ABSENT_TO_ALL],
  ['GET', '/check-inbox', OPEN],
  ...['settings', 'email', 'password', 'delete', 'tokens/new'].map((page): Row => [
    'GET',
    `/account/${page}`,
    SIGN_IN_FIRST,
  ]),
  ...[
    'email',
    'password',
    'delete',
    'tokens/new',
    'confirmation',
    'sessions/end',
    'sessions/1/end',
    'tokens/1/delete',
  ].map((form): Row => ['POST', `/account/${form}`, SIGN_IN_FIRST]),
]
