import { Elysia } from 'elysia'
import { seeOther } from '../../http/response/reply.ts'
import { formAt, type RouteContext, withoutSuffix } from '../../http/route.ts'
import { type FieldDefinition, selectField } from '../desk/field.ts'
import { requireGenuine } from '../desk/form.ts'
import { getImport, IMPORT_FILE, importChecked, startImport } from '../imports/actions.ts'
import { hasFile } from '../imports/checkedFiles.ts'
import { presentImport } from '../imports/present.ts'
import type { RunningImport } from '../imports/runningImport.ts'
import { DEFAULT_PLAN, type Import, ImportQuery } from '../imports/schema.ts'
import { countText } from '../pages/view.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { listView, pillCell, textCell } from './listing.ts'

const PATH = '/admin/data'
/** In seconds, how often the page of a running import is loaded again. */
const REFRESH = '2'

const FIELDS: readonly FieldDefinition[] = [
  {
    name: IMPORT_FILE.field,
    label: 'File',
    type: 'file',
    accept: '.json,.jsonl,.ndjson,.csv',
    hint: 'JSON, JSON Lines, or CSV with a header, at most 64 MB. An export of a board can be imported too.',
  },
  selectField(
    'dry_run',
    'What to do',
    { true: 'Check the file only', false: 'Import the jobs' },
    { hint: 'The check lists what would be rejected, and changes nothing.' },
  ),
  selectField('keep_going', 'If some rows have errors', {
    false: 'Import nothing',
    true: 'Import the others',
  }),
  selectField(
    'with_accounts',
    'Accounts and subscribers of an export',
    { false: 'Leave them out', true: 'Import them too' },
    { hint: 'New accounts have no password: their owners can reset it.' },
  ),
  {
    name: 'plan',
    label: 'Plan of jobs that name none',
    schema: ImportQuery.properties.plan,
    isOptional: true,
    hint: 'It is created if necessary, and archived.',
  },
]

/** Creates the form to import a file, and the page of an import with its progress. */
export function importPages(admin: Admin) {
  const form = importForm(admin)
  return new Elysia({ name: 'administration of imports' })
    .use(formAt(`${PATH}/import`, form))
    .get(`${PATH}/imports/:id`, ...withoutSuffix(admin.page(context => importPage(admin, context))))
    .post(
      `${PATH}/imports/:id/import`,
      ...admin.action(async ({ caller, params }) => {
        const { id } = await importChecked(admin.board, caller, params.id)
        return `${PATH}/imports/${id}`
      }),
    )
}

const importForm = (admin: Admin) =>
  admin.form({
    template: 'adminForm',
    title: 'Import jobs',
    readsUpload: true,
    fields: () => FIELDS,
    initial: () => new Map([['plan', DEFAULT_PLAN]]),
    view: () =>
      formView({
        texts: ['Categories and employment types that the file names are created if they are missing.'],
        button: 'Upload',
        has_file: true,
        cancel_path: PATH,
      }),
    submit: async context => {
      const { id } = await startImport(admin.board, context, form => requireGenuine(context, form))
      return seeOther(`${PATH}/imports/${id}`)
    },
  })

/** Replies with the page of an import, which loads itself again until the import has ended. */
function importPage(admin: Admin, context: RouteContext) {
  const running = getImport(admin.board, context.params.id)
  const { file, pill, isRunning, message } = importFacts(running)
  const shown = presentImport(running)
  return admin.reply(
    context,
    'adminImport',
    file,
    {
      pill,
      message,
      is_running: isRunning,
      is_dry_run: shown.dry_run,
      progress: shown.progress,
      import_path: hasFile(admin.board, shown.id, context.caller.userId)
        ? `${PATH}/imports/${shown.id}/import`
        : '',
      import_label: shown.refused > 0 ? 'Import the other rows' : 'Import',
      facts: factsOf(shown),
      errors: listView({
        columns: ['Row', 'Title', 'Error'],
        rows: shown.errors.map(({ row, title, message: text }, at) => ({
          id: at,
          name: row,
          cells: [textCell(row), textCell(title ?? ''), textCell(text)],
          actions: [],
        })),
        empty: 'No row has errors.',
      }),
      more_errors: Math.max(0, shown.refused - shown.errors.length),
    },
    isRunning ? { refresh: REFRESH } : {},
  )
}

/** Returns what lists and pages say about an import. */
export function importFacts({ filename, status, options, progress, message }: RunningImport) {
  const isRunning = status === 'checking' || status === 'storing'
  const pill = isRunning
    ? pillCell(status === 'checking' ? 'Checking' : 'Importing', 'wait')
    : status === 'failed'
      ? pillCell('Failed', 'bad')
      : pillCell(options.dry_run ? 'Checked' : 'Imported', 'good')
  return { file: filename ?? 'Import', pill, isRunning, message: message ?? `${progress}%` }
}

function factsOf({ rows, imported, refused, skipped, created }: Import) {
  const fact = (label: string, count: number) => ({ label, text: count.toLocaleString('en') })
  const names = Object.entries(created).flatMap(([table, { count, names: first }]) =>
    count === 0 ? [] : [{ label: CREATED[table as keyof typeof created], text: namesText(count, first) }],
  )
  return [
    fact('Rows checked', rows),
    fact('With errors', refused),
    fact('Imported', imported),
    ...(skipped > 0 ? [fact('Accounts and subscribers left out', skipped)] : []),
    ...names,
  ]
}

const CREATED: Readonly<Record<keyof Import['created'], string>> = {
  categories: 'New categories',
  terms: 'New employment types',
  plans: 'New plans',
  archived_plans: 'New archived plans',
  administrators: 'New administrators',
  users: 'New accounts',
  subscribers: 'New subscribers',
}

const MAX_NAMES = 5

const namesText = (count: number, names: readonly string[]) => {
  const more = count - Math.min(count, MAX_NAMES)
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${countText(more, 'other')}` : ''}`
}
