import { timestamp } from '../base/clock.ts'
import { UsageError } from '../config/errors.ts'
import { backupFolderOf } from '../features/backups/folder.ts'
import { RemoteBackups } from '../features/backups/remote.ts'
import { isS3Url, locationOf } from '../features/backups/restoreSource.ts'
import { command } from './command.ts'

export const backupsCommand = command({
  name: 'backups',
  activity: 'listing the backups',
  summary: 'list the backups in --backup-dir and --backup-s3: time, bytes, place',
  details: 'The newest come first. Give the URL of a folder in a bucket to list only that.',
  args: ['[s3://…]'],
  flags: {},
  options: ['backupDir', 'backupKeep', 'backupS3', 's3Endpoint', 's3KeyFile', 'backupKeyFile'],
  run: async ({ args: [url], config, stdout }) => {
    if (url !== undefined && !isS3Url(url)) throw new UsageError([`${url} must start with s3://.`])
    const location = url === undefined ? config.backupS3 : locationOf(url)
    const folder = url === undefined ? backupFolderOf(config) : undefined
    if (!location && !folder)
      throw new UsageError(['Name where the backups are: --backup-dir or --backup-s3.'])
    const remote = location && new RemoteBackups(location, config)
    const local = (await folder?.list()) ?? []
    const uploaded = (await remote?.list()) ?? []
    const all = [
      ...local.map(({ name, ...backup }) => ({ ...backup, place: folder?.pathOf(name) ?? name })),
      ...uploaded.map(({ name, ...backup }) => ({ ...backup, place: remote?.urlOf(name) ?? name })),
    ]
    for (const { time, size, place } of all.sort((a, b) => b.time - a.time))
      stdout.write(`${timestamp(time)}\t${size}\t${place}\n`)
    if (all.length === 0) stdout.write('There are no backups yet.\n')
  },
})
