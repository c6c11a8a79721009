import { type Static, Type } from '@sinclair/typebox'
import {
  countSchema,
  idSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
} from '../../http/openapi/responseSchemas.ts'
import { pagingFields } from '../../http/response/paging.ts'
import type { MailContent } from '../../store/rows.ts'
import { enumField } from '../../validation/fields.ts'

type MailKind = MailContent['kind']

/** What the mails of each kind are about. */
export const LABELS: Readonly<Record<MailKind, string>> = {
  subscription: 'Confirm job alerts',
  digest: 'Job alerts',
  account: 'Confirm an e-mail address',
  registered: 'An account exists already',
  reset: 'Reset a password',
  signIn: 'Sign in',
  post: 'Post a job without an account',
  waiting: 'Job awaiting approval',
  approved: 'Job approved',
  refused: 'Job not approved',
  deleted: 'Job not approved',
  expiry: 'Job expires',
  draft: 'Draft will be deleted',
  backupFailed: 'Backup failed',
  webhook: 'Webhook stopped',
  test: 'Test e-mail',
}

const STATUSES = ['queued', 'failed'] as const

export const MailQuery = Type.Object({
  status: enumField([...STATUSES, 'all'], {
    default: 'all',
    description: 'Queued e-mails are tried for three days. Failed ones are not tried again.',
  }),
  ...pagingFields,
})
export type MailQuery = Static<typeof MailQuery>

const kinds = Object.keys(LABELS) as MailKind[] // the keys are those of the record

export const Mail = objectSchema(
  'Mail',
  {
    id: idSchema(9),
    kind: Type.Unsafe<MailKind>({ type: 'string', enum: kinds, examples: ['approved'] }),
    recipient: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The address that it would be sent to now, or null if there is none any more.',
      examples: ['ines@harbour.example.org'],
    }),
    subject: Type.String({
      description: 'What it is about.',
      examples: ['Job approved: Palliative care nurse'],
    }),
    status: Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      examples: ['queued'],
    }),
    created_at: timestampSchema('2026-01-10T18:21:59+00:00'),
    attempts: countSchema('The number of failed attempts.', 2),
    next_attempt_at: nullableTimestampSchema(
      'When it is tried next, or null if it has failed.',
      '2026-01-10T18:25:59+00:00',
    ),
    error: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why the last attempt failed.',
      examples: ['the mail server refused the recipient (SMTP 550 5.1.1)'],
    }),
  },
  { description: 'An e-mail in the queue, or one that failed. E-mails that were sent are not kept.' },
)
export type Mail = Static<typeof Mail>
