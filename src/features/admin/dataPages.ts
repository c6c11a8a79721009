import { Elysia } from 'elysia'
import type { RouteContext } from '../../http/route.ts'
import { createBackupNow, replyWithBackup } from '../backups/downloads.ts'
import { presentBackups } from '../backups/present.ts'
import type { Backups } from '../backups/schema.ts'
import { replyWithExport } from '../exports/actions.ts'
import { listImports } from '../imports/actions.ts'
import { longDate } from '../pages/view.ts'
import type { Admin } from './admin.ts'
import { importFacts } from './importPages.ts'
import { linkCell, listView, textCell, timeCell } from './listing.ts'
import { withNotice } from './notices.ts'

const PATH = '/admin/data'

/** Creates the page of imports, exports and backups, and the downloads. */
export function dataPages(admin: Admin) {
  const { board } = admin
  return new Elysia({ name: 'administration of data' })
    .get(PATH, ...admin.page(context => dataPage(admin, context)))
    .get(`${PATH}/export`, ...admin.page(context => replyWithExport(board, context)))
    .get(`${PATH}/backup`, ...admin.page(context => replyWithBackup(board, context)))
    .post(
      `${PATH}/backup`,
      ...admin.action(async ({ request, services }) => {
        services.peers.holdOpen?.(request)
        await createBackupNow(board)
        return withNotice(PATH, 'backedUp')
      }),
    )
}

async function dataPage(admin: Admin, context: RouteContext) {
  const { board } = admin
  const backups = await presentBackups(board)
  return admin.reply(context, 'adminData', 'Import & export', {
    imports: listView({
      columns: ['File', 'Result', 'Started'],
      rows: listImports(board).map(running => {
        const { file, pill, message } = importFacts(running)
        const cells = [
          linkCell(file, `${PATH}/imports/${running.id}`),
          { ...pill, more: message },
          timeCell(running.startedAt, board.clock),
        ]
        return { id: running.id, name: file, cells, actions: [] }
      }),
      empty: 'No file has been imported since the server was started.',
    }),
    schedule: scheduleText(backups),
    has_folder: backups.schedule !== null,
    backups: listView({
      columns: ['File', 'Size', 'Made'],
      rows: backups.backups.map(({ file, size, created_at: time }, at) => ({
        id: at,
        name: file,
        cells: [textCell(file), textCell(sizeText(size)), timeCell(Date.parse(time), board.clock)],
        actions: [],
      })),
      empty: 'There is no backup yet.',
    }),
  })
}

function scheduleText({ schedule, upload, last_backup: last }: Backups): string {
  const latest =
    last === null ? 'There has been no backup yet.' : `The last backup is of ${longDate(Date.parse(last))}.`
  if (schedule === null && upload === null)
    return `${latest} Start the board with --backup-dir for a backup every day, or download one here.`
  return [
    latest,
    ...(schedule === null
      ? []
      : [
          `Every day at ${schedule.at} UTC, a backup is written to ${schedule.folder} on the server. The last ${schedule.keep} are kept.`,
        ]),
    ...(upload === null ? [] : uploadSentences(upload)),
  ].join(' ')
}

function uploadSentences({ to, encrypted, last_upload: last, problem }: NonNullable<Backups['upload']>) {
  const how = encrypted ? 'encrypted and uploaded' : 'uploaded'
  const latest =
    last === null ? 'None was uploaded yet.' : `The last one was on ${longDate(Date.parse(last))}.`
  return [`Daily backups are ${how} to ${to}. ${latest}`, ...(problem === null ? [] : [problem])]
}

const sizeText = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
