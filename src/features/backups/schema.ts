import { type Static, Type } from '@sinclair/typebox'
import {
  countSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
} from '../../http/openapi/responseSchemas.ts'

export const Backup = objectSchema(
  'Backup',
  {
    file: Type.String({
      description: 'The name of the file in the folder of backups.',
      examples: ['corkboard-2026-01-10T03-00-00Z.tar'],
    }),
    size: countSchema('In bytes.', 4_718_592),
    created_at: timestampSchema('2026-01-10T03:00:00+00:00'),
  },
  { description: 'A backup in the folder of backups.' },
)
export type Backup = Static<typeof Backup>

const BackupSchedule = objectSchema(
  'BackupSchedule',
  {
    folder: Type.String({ description: "The server's folder (`--backup-dir`).", examples: ['/var/backups'] }),
    at: Type.String({ description: 'The time of day in UTC (`--backup-at`).', examples: ['03:00'] }),
    keep: countSchema('The number of backups that are kept (`--backup-keep`).', 7),
    next_at: timestampSchema('2026-01-11T03:00:00+00:00'),
  },
  { description: 'When backups are made, and where.' },
)

const BackupUpload = objectSchema(
  'BackupUpload',
  {
    to: Type.String({
      description: 'The folder in a bucket (`--backup-s3`).',
      examples: ['s3://backups/jobs/'],
    }),
    encrypted: Type.Boolean({ description: 'Whether there is a `--backup-key-file`.', examples: [true] }),
    last_upload: nullableTimestampSchema('When a backup was last uploaded.', '2026-01-10T03:00:09+00:00'),
    problem: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last daily backup failed; null if it did not.',
      examples: [null],
    }),
  },
  { description: 'Where daily backups are uploaded to.' },
)

export const Backups = objectSchema('Backups', {
  schedule: Type.Union([BackupSchedule, Type.Null()], {
    description: 'Null if the board was started without `--backup-dir`.',
  }),
  upload: Type.Union([BackupUpload, Type.Null()], {
    description: 'Null if the board was started without `--backup-s3`.',
  }),
  last_backup: nullableTimestampSchema(
    'When the last backup was made, also by a command or as a download.',
    '2026-01-10T03:00:04+00:00',
  ),
  backups: Type.Array(Backup, { description: 'The backups in the folder, newest first.' }),
})
export type Backups = Static<typeof Backups>
