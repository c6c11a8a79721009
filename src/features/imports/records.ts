import { type Static, Type } from '@sinclair/typebox'
import { ROLES } from '../../base/caller.ts'
import type { TableReaders } from '../../store/tables.ts'
import { REQUIRED } from '../../validation/field.ts'
import {
  booleanField,
  enumField,
  integerField,
  nullableTimestampField,
  timestampField,
} from '../../validation/fields.ts'
import {
  accountEmailField,
  emailField,
  externalIdField,
  sourceField,
  textField,
} from '../../validation/textFields.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'
import { MAX_REASON_LENGTH } from '../jobs/statusSchema.ts'
import { LabelFields } from '../labels/schema.ts'
import { PlanFields } from '../plans/schema.ts'

const since = { confirmed: booleanField({}), created_at: timestampField({}) }

/** The field of an export's lines that says what kind of record a line is. */
const KIND = 'corkboard'

/** The records of an export other than jobs, by kind. */
const RECORDS = {
  category: LabelFields,
  term: LabelFields,
  plan: Type.Object({ ...PlanFields.properties, archived: booleanField({ default: false }) }),
  user: Type.Object({ email: accountEmailField({}), role: enumField(ROLES, {}), ...since }),
  subscriber: Type.Object({ email: emailField({}), ...since }),
  source: Type.Object({ name: sourceField({}), user: Type.Optional(accountEmailField({})) }),
}
type RecordKind = keyof typeof RECORDS
export type RecordOf<K extends RecordKind> = Static<(typeof RECORDS)[K]>

const optionalTimestamp = () => Type.Optional(nullableTimestampField({}))

/** The fields of an exported job beyond those of a create request. */
const ExportedJob = Type.Object({
  user: Type.Optional(accountEmailField({})),
  pending: booleanField({}),
  updated_at: timestampField({}),
  expires_at: nullableTimestampField({}),
  /** Only in exports of older versions, which have none of the following fields. */
  appeared_at: optionalTimestamp(),
  renewing: booleanField({ default: false }),
  refusal: Type.Optional(textField({ maxLength: MAX_REASON_LENGTH })),
  submitted_at: optionalTimestamp(),
  publish_at: optionalTimestamp(),
  published_at: optionalTimestamp(),
  filled_at: optionalTimestamp(),
  closed_at: optionalTimestamp(),
  reminded_of: optionalTimestamp(),
  reminders: integerField({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
  renewed_at: optionalTimestamp(),
  warned_at: optionalTimestamp(),
  source: Type.Optional(sourceField({})),
  external_id: Type.Optional(externalIdField({})),
})
export type ExportedJob = Static<typeof ExportedJob>

/** A line of an export that isn't a job. */
export type ParsedRecord = {
  [K in RecordKind]: { readonly kind: K; readonly validation: Validation<RecordOf<K>> }
}[RecordKind]

const isRecord = (kind: unknown): kind is RecordKind =>
  typeof kind === 'string' && Object.hasOwn(RECORDS, kind)

/** Returns whether a line is an account or a subscriber. */
export const isAccountOrSubscriber = ({ values }: Fields): boolean =>
  ['user', 'subscriber'].includes(String(values.get(KIND)))

/** Parses a line of an export; undefined if it is a job. */
export function parseRecord(fields: Fields): ParsedRecord | undefined {
  const kind = fields.values.get(KIND)
  // The schema is that of the kind.
  return isRecord(kind) ? ({ kind, validation: validate(RECORDS[kind], fields) } as ParsedRecord) : undefined
}

/** Parses the extra fields of an exported job; undefined for other jobs. */
export function parseExportedJob(fields: Fields, tables: TableReaders): Validation<ExportedJob> | undefined {
  if (fields.values.get(KIND) !== 'job') return undefined
  const job = validate(ExportedJob, fields)
  if (job.has('source') !== job.has('external_id'))
    job.addError(job.has('source') ? 'external_id' : 'source', REQUIRED)
  const [source, externalId] = [job.value('source'), job.value('external_id')]
  if (externalId !== undefined && tables.jobs.findIdBy('externalId', externalId, source) !== undefined)
    job.addError('external_id', 'is already used by another job of this source')
  return job
}

/** Removes the owner: another service can't decide who owns a job here. */
export function withoutOwner(row: Fields): Fields {
  const values = new Map(row.values)
  values.delete('user')
  return { ...row, values }
}

/** Returns the columns of an exported job beyond those of a create request. A draft was never submitted. */
export function exportedState(job: ExportedJob, tables: TableReaders, createdAt: number) {
  const { user, published_at: publishedAt = job.appeared_at ?? null } = job
  return {
    userId: (user === undefined ? undefined : tables.users.findIdBy('email', user)) ?? null,
    pending: job.pending,
    renewing: job.renewing,
    refusal: job.refusal ?? null,
    updatedAt: job.updated_at,
    // Older versions had no drafts.
    submittedAt: job.submitted_at === undefined ? createdAt : job.submitted_at,
    publishAt: job.publish_at ?? null,
    publishedAt,
    filledAt: job.filled_at ?? null,
    closedAt: job.closed_at ?? null,
    expiresAt: job.expires_at,
    remindedOf: job.reminded_of ?? null,
    reminders: job.reminders,
    renewedAt: job.renewed_at ?? null,
    warnedAt: job.warned_at ?? null,
    source: job.source ?? null,
    externalId: job.external_id ?? null,
  }
}
