import { type Static, Type } from '@sinclair/typebox'
import { objectSchema } from '../../http/openapi/responseSchemas.ts'

export const Health = objectSchema('Health', {
  status: Type.Literal('ok', { examples: ['ok'] }),
  version: Type.String({ description: "The program's version.", examples: ['0.1.0'] }),
  last_backup: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The time of the last backup, or null. Shown to administrators only.',
      examples: ['2026-01-10T03:00:04+00:00'],
    }),
  ),
  last_upload: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'The time of the last backup that was uploaded, or null. Shown to administrators only.',
      examples: ['2026-01-10T03:00:09+00:00'],
    }),
  ),
  backup_problem: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why the last daily backup failed, or null. Shown to administrators only.',
      examples: [null],
    }),
  ),
  certificate_days: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        "The days until the board's own certificate expires, or null if it has none. Shown to administrators only.",
      examples: [61],
    }),
  ),
  certificate_problem: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: "Why the certificate can't be renewed or used, or null. Shown to administrators only.",
      examples: [null],
    }),
  ),
})

export type Health = Static<typeof Health>
