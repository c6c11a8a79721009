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

export const Backups = objectSchema('Backups', {
  schedule: Type.Union([BackupSchedule, Type.Null()], {
    description: 'Null if the board was started without `--backup-dir`.',
  }),
  last_backup: nullableTimestampSchema(
    'When the last backup was made, also by a command or as a download.',
    '2026-01-10T03:00:04+00:00',
  ),
  backups: Type.Array(Backup, { description: 'The backups in the folder, newest first.' }),
})
export type Backups = Static<typeof Backups>
