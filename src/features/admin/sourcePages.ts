import { Elysia } from 'elysia'
import type { RouteContext } from '../../http/route.ts'
import { withoutSuffix } from '../../http/route.ts'
import { getOrThrow } from '../../store/lookup.ts'
import type { SourceRow, SourceRunRow } from '../../store/sourceRows.ts'
import { countText } from '../pages/view.ts'
import { lastRunOf, runsOf } from '../sources/runs.ts'
import type { Admin } from './admin.ts'
import { type Cell, linkCell, listView, pillCell, type TableRow, textCell, timeCell } from './listing.ts'
import { pageOfList } from './listPages.ts'

const PATH = '/admin/sources'

/** Creates the pages of sources: the list, the runs of one, and what a run refused. */
export const sourcePages = (admin: Admin) =>
  new Elysia({ name: 'administration of sources' })
    .get(PATH, ...admin.page(context => admin.reply(context, 'adminList', 'Sources', sourceList(admin))))
    .get(`${PATH}/:id`, ...withoutSuffix(admin.page(context => sourcePage(admin, context))))

function sourceList(admin: Admin) {
  const { read } = admin.board.store
  return {
    fields: null,
    list: listView({
      columns: ['Source', 'Account', 'Jobs', 'Last run', 'Result'],
      rows: read.sources.all().map(source => sourceRow(admin, source)),
      texts: ['Sources are other systems, such as one of an employer, that keep their jobs here in step.'],
      empty:
        'There is no source yet. Send all jobs of one to /sources/NAME/sync.json, or use “corkboard sync”.',
    }),
  }
}

function sourceRow({ board }: Admin, source: SourceRow): TableRow {
  const { read } = board.store
  const run = lastRunOf(read, source.id)
  return {
    id: source.id,
    name: source.name,
    cells: [
      linkCell(source.name, `${PATH}/${source.id}`),
      textCell(read.users.get(source.userId)?.email ?? 'None'),
      textCell(countJobs(board.store.read, source.name).toLocaleString('en')),
      run ? timeCell(run.startedAt, board.clock) : textCell('Never'),
      run ? resultCell(run) : textCell('Its jobs are sent one by one.'),
    ],
    actions: [],
  }
}

const countJobs = ({ jobs }: Admin['board']['store']['read'], source: string) =>
  jobs.countWithin('externalId', source)

function resultCell({ failed, refused, message }: SourceRunRow): Cell {
  if (failed) return pillCell('Failed', 'bad', message)
  return refused > 0
    ? pillCell(`${refused.toLocaleString('en')} refused`, 'wait', message)
    : pillCell('Done', 'good', message)
}

function sourcePage(admin: Admin, context: RouteContext) {
  const { read } = admin.board.store
  const source = getOrThrow(read.sources, context.params.id, 'source')
  const runs = runsOf(read, source.id)
  const chosen = runs.find(({ id }) => String(id) === context.query.get('run'))
  const view = chosen ? runView(source, chosen) : runList(admin, context, source, runs)
  return admin.reply(context, 'adminList', source.name, { fields: null, list: view })
}

function runList(
  { board }: Admin,
  { query }: RouteContext,
  source: SourceRow,
  runs: readonly SourceRunRow[],
) {
  const path = `${PATH}/${source.id}`
  const { items, pager } = pageOfList(runs, path, query)
  return listView({
    columns: ['Started', 'Result', 'Refused postings'],
    rows: items.map(run => ({
      id: run.id,
      name: `run ${run.id}`,
      cells: [
        timeCell(run.startedAt, board.clock),
        resultCell(run),
        run.refused === 0
          ? textCell('None')
          : linkCell(countText(run.refused, 'posting'), `${path}?run=${run.id}`),
      ],
      actions: [],
    })),
    links: [{ label: 'All sources', path: PATH, is_plain: true }],
    texts: ['The last 100 runs, without dry runs.'],
    pager,
    empty: 'This source had no run yet: its jobs are sent one by one.',
  })
}

function runView(source: SourceRow, run: SourceRunRow) {
  const { refusals, refused } = run
  const more = refused - refusals.length
  return listView({
    columns: ['Posting', 'Id in the source', 'What is wrong'],
    rows: refusals.map(({ n, external_id: externalId, errors }) => ({
      id: n,
      name: `posting ${n}`,
      cells: [
        textCell(`Number ${n}`),
        textCell(externalId ?? 'None'),
        textCell(
          Object.entries(errors)
            .map(([field, messages]) => `${field} ${messages.join(', ')}`)
            .join('; '),
        ),
      ],
      actions: [],
    })),
    links: [{ label: 'All runs', path: `${PATH}/${source.id}`, is_plain: true }],
    texts: [run.message, ...(more > 0 ? [`${countText(more, 'more refused posting')} not listed.`] : [])],
    empty: 'This run refused nothing.',
  })
}
