import { type Static, Type } from '@sinclair/typebox'
import { ROLES } from '../../base/caller.ts'
import { LabelFields } from '../../features/labels/schema.ts'
import { PlanFields } from '../../features/plans/schema.ts'
import { booleanField, enumField, nullableTimestampField, timestampField } from '../../validation/fields.ts'
import { accountEmailField, emailField } from '../../validation/textFields.ts'
import { type Fields, validate, type Validation } from '../../validation/validation.ts'

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
}
type RecordKind = keyof typeof RECORDS
export type RecordOf<K extends RecordKind> = Static<(typeof RECORDS)[K]>

/** The fields of an exported job beyond those of a create request. */
const ExportedJob = Type.Object({
  user: Type.Optional(accountEmailField({})),
  pending: booleanField({}),
  updated_at: timestampField({}),
  appeared_at: nullableTimestampField({}),
  expires_at: nullableTimestampField({}),
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
export const parseExportedJob = (fields: Fields): Validation<ExportedJob> | undefined =>
  fields.values.get(KIND) === 'job' ? validate(ExportedJob, fields) : undefined
