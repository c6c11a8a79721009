import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'
import { type Fields, Validation } from '../../validation/validation.ts'
import { columnsOf } from '../jobs/jobWriter.ts'
import { newDraft } from '../jobs/publication.ts'
import { validateDraft } from '../jobs/rules.ts'
import type { DraftFields } from '../jobs/schema.ts'
import { presentPosting } from '../pages/posting.ts'

/** Stands for an address that isn't entered yet. */
const NO_ADDRESS = 'https://example.com/'

/** Returns the view of a job's page as it would be. Fields that are missing or wrong are left out. */
export function presentPreview(board: Board, fields: Fields, saved: JobRow | undefined) {
  const view = presentPosting(board, previewedJob(board, fields, saved))
  return { ...view, head: { ...view.head, title: 'Preview', is_indexed: false, json_ld: '' } }
}

function previewedJob({ clock }: Board, fields: Fields, saved: JobRow | undefined): JobRow {
  const now = clock()
  const validation = validateDraft(fields)
  // Without its errors, a draft may lack anything.
  const stated = new Validation<DraftFields>(validation.values, fields).valueOrThrow()
  const columns = columnsOf(stated)
  return {
    id: 0,
    ...newDraft(now),
    ...columns,
    title: columns.title ?? 'Untitled job',
    applicationType: columns.applicationUrl === '' && columns.applicationEmail !== '' ? 'email' : 'url',
    applicationUrl: columns.applicationUrl || NO_ADDRESS,
    planId: stated.plan_id ?? saved?.planId ?? null,
    userId: null,
    logo: saved?.logo ?? '',
    submittedAt: now,
    publishedAt: now,
  }
}
