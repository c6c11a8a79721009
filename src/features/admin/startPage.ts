import { DAY } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import type { RouteContext } from '../../http/route.ts'
import { freeSpace } from '../../store/diskSpace.ts'
import { analyticsReport } from '../analytics/actions.ts'
import { presentFunnel, presentReport } from '../analytics/present.ts'
import { presentChart } from '../desk/dayChart.ts'
import { certificateHealth, certificateWarning } from '../health/certificate.ts'
import { countText, longDate } from '../pages/view.ts'
import type { Admin } from './admin.ts'
import { pageViewChart } from './analyticsPages.ts'
import { attentionOf } from './attention.ts'

const DAYS = 30
const BACKUP_AGE = 2 * DAY

/** Replies with the start page: what needs attention, the last days, and the health of the board. */
export function startPage(admin: Admin, context: RouteContext) {
  const { board } = admin
  const report = analyticsReport(board, DAYS)
  return admin.reply(context, 'adminStart', 'Overview', {
    steps: firstSteps(admin),
    attention: attentionItems(admin),
    charts: [
      pageViewChart(presentReport(report)),
      presentChart('Apply clicks', presentFunnel(report).apply_clicks),
    ],
    health: healthFacts(admin),
  })
}

/** Returns the first steps of an owner; none once the board has active jobs. */
function firstSteps({ board }: Admin) {
  const { store, config, jobIndex, mail } = board
  if (jobIndex.active.length > 0) return []
  const { categories, terms, plans } = store.read
  return [
    step(
      'Choose a name and a colour',
      '/admin/settings',
      config.name !== 'Corkboard',
      'What visitors see first.',
    ),
    step('Add categories', '/admin/categories', categories.count > 0, 'Such as “Health care”.'),
    step('Add employment types', '/admin/terms', terms.count > 0, 'Such as “Full-time”.'),
    step(
      'Create a plan',
      '/admin/plans/new',
      plans.count > 0,
      'What a job costs, and how long it stays online.',
    ),
    step(
      'Set up e-mail',
      '',
      mail.outbox.isEnabled,
      mail.outbox.isEnabled
        ? 'The board sends e-mail.'
        : 'Start the board with --smtp-url and --mail-from for job alerts, sign-in links and open registration.',
    ),
    step(
      'Post the first job',
      '/post',
      store.read.jobs.count > 0,
      'Or import jobs from a file, under Import & export.',
    ),
  ]
}

const step = (label: string, path: string, isDone: boolean, hint: string) => ({
  label,
  path,
  is_done: isDone,
  hint,
})

function attentionItems({ board }: Admin) {
  const { pendingJobs, failedMails, failedSources, failedWebhooks } = attentionOf(board)
  const items = []
  if (pendingJobs > 0)
    items.push({ path: '/admin/inbox', text: `${countText(pendingJobs)} awaiting approval` })
  if (failedMails > 0)
    items.push({ path: '/admin/mail', text: `${countText(failedMails, 'e-mail')} could not be sent` })
  const warning = certificateWarning(board)
  if (warning !== undefined) items.push({ path: '/admin#health', text: warning })
  if (failedSources > 0)
    items.push({
      path: '/admin/sources',
      text: `The last run of ${countText(failedSources, 'source')} failed`,
    })
  if (failedWebhooks > 0)
    items.push({ path: '/admin/webhooks', text: `${countText(failedWebhooks, 'webhook')} with errors` })
  if (board.backups.problem !== undefined)
    items.push({ path: '/admin#health', text: 'The daily backup failed' })
  const { lastBackupAt } = board.store
  if (board.jobIndex.active.length > 0 && (lastBackupAt ?? 0) < board.clock() - BACKUP_AGE)
    items.push({
      path: '/admin/data',
      text:
        lastBackupAt === undefined
          ? 'There is no backup yet'
          : `The last backup is of ${longDate(lastBackupAt)}`,
    })
  return items
}

const GIGABYTE = 1e9

function healthFacts({ board }: Admin) {
  const { store, mail, search, jobIndex, backups } = board
  const { lastBackupAt } = store
  const fact = (label: string, text: string) => ({ label, text })
  return [
    fact('Version', version),
    fact('Active jobs', jobIndex.active.length.toLocaleString('en')),
    fact('Free disk space', `${(freeSpace(store.folder) / GIGABYTE).toFixed(1)} GB`),
    fact('Data', `${(store.size / 1e6).toFixed(1)} MB`),
    fact('Last backup', lastBackupAt === undefined ? 'None' : longDate(lastBackupAt)),
    ...(backups.problem === undefined ? [] : [fact('Backup', backups.problem)]),
    fact('E-mail', mail.outbox.isEnabled ? 'On' : 'Off'),
    ...certificateFacts(board).map(text => fact('Certificate', text)),
    fact('Search', search.isBehind ? 'Indexing' : 'Up to date'),
  ]
}

/** Returns the days of the board's own certificate, and what is wrong with it. Behind a proxy, there is nothing to tell. */
function certificateFacts(board: Board): string[] {
  const { certificate_days: days, certificate_problem: problem } = certificateHealth(board)
  const left = days === null ? [] : [days < 0 ? 'Expired' : `${countText(days, 'day')} left`]
  return problem === null ? left : [...left, problem]
}
