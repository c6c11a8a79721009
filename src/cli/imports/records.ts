import { type Static, Type } from '@sinclair/typebox'
import { ROLES } from '../../base/caller.ts'
import { check, type Draft, type Sent } from '../../base/check.ts'
import { choice, flag, moment, momentOrNever } from '../../base/kinds.ts'
import { accountAddress, emailAddress } from '../../base/textkinds.ts'
import { LabelFields } from '../../features/labels/schema.ts'
import { PlanFields } from '../../features/plans/schema.ts'

const since = { confirmed: flag({}), created_at: moment({}) }

/** The field of an export's lines that says of what kind they are; no other service has it. */
const KIND = 'corkboard'

/** What an export holds besides jobs, by kind. */
const RECORDS = {
  category: LabelFields,
  term: LabelFields,
  plan: Type.Object({ ...PlanFields.properties, archived: flag({ default: false }) }),
  user: Type.Object({ email: accountAddress({}), role: choice(ROLES, {}), ...since }),
  subscriber: Type.Object({ email: emailAddress({}), ...since }),
}
export type RecordKind = keyof typeof RECORDS
export type RecordOf<K extends RecordKind> = Static<(typeof RECORDS)[K]>

/** What a job of an export says besides what a create body does, and what is believed only there. */
const OwnJob = Type.Object({
  user: Type.Optional(accountAddress({})),
  pending: flag({}),
  updated_at: moment({}),
  appeared_at: momentOrNever({}),
  expires_at: momentOrNever({}),
})
export type OwnJob = Static<typeof OwnJob>

/** A line of an export that is no job. */
export type DraftedRecord = {
  [K in RecordKind]: { readonly kind: K; readonly draft: Draft<RecordOf<K>> }
}[RecordKind]

const isRecord = (kind: unknown): kind is RecordKind =>
  typeof kind === 'string' && Object.hasOwn(RECORDS, kind)

/** Whether a line is a person's: an account or a subscriber. */
export const isPerson = ({ values }: Sent): boolean =>
  ['user', 'subscriber'].includes(String(values.get(KIND)))

/** Undefined if it is a job. */
export function draftRecord(sent: Sent): DraftedRecord | undefined {
  const kind = sent.values.get(KIND)
  // the schema was taken by the kind that names it
  return isRecord(kind) ? ({ kind, draft: check(RECORDS[kind], sent) } as DraftedRecord) : undefined
}

/** Undefined if the job is of no export. */
export const draftOwnJob = (sent: Sent): Draft<OwnJob> | undefined =>
  sent.values.get(KIND) === 'job' ? check(OwnJob, sent) : undefined
