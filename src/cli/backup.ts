import { basename } from 'node:path'
import { UsageError } from '../config/errors.ts'
import { createBackup, DELETED_DATA_WARNING } from '../features/backups/actions.ts'
import { ENCRYPTED } from '../features/backups/names.ts'
import { RemoteBackups } from '../features/backups/remote.ts'
import { isS3Url, locationOf, restoreFile, restoreFromS3 } from '../features/backups/restoreSource.ts'
import { createAndUpload } from '../features/backups/upload.ts'
import { LogoFiles } from '../images/logoFiles.ts'
import { Store } from '../store/store.ts'
import { TlsFolder } from '../tls/tlsFolder.ts'
import { command, CommandError } from './command.ts'

/** The options for backups in a bucket, and for encrypted ones. */
const REMOTE_OPTIONS = ['s3Endpoint', 's3KeyFile', 'backupKeyFile'] as const

export const backupCommand = command({
  name: 'backup',
  activity: 'creating the backup',
  summary: 'back up records and logos to one file, or to s3://BUCKET/PREFIX',
  details: `Safe on a running server. FILE is a tar archive with checksums and replaces an older backup of that name. It
contains deleted records only as long as the journal does (--journal-days), although data.mdb keeps them until it reuses their
space, and no address of a deleted account or subscriber. A backup in a bucket is read back and compared, and encrypted
with --backup-key-file.`,
  args: ['FILE|s3://…'],
  flags: { 'with-tls': { help: 'include the account and the certificate of --domain, with their keys' } },
  options: ['data', ...REMOTE_OPTIONS],
  run: async ({ args: [target], flags, config, clock, stdout, stderr, onStop }) => {
    requireEncryptable(target, config.backupKeyFile !== undefined)
    const stopping = new AbortController()
    onStop(() => stopping.abort(new CommandError('Stopped. No backup was created.')))
    const location = isS3Url(target) ? locationOf(target) : undefined
    const remote = location && new RemoteBackups(location, config)
    const name = location?.file ? basename(location.file, ENCRYPTED) : undefined
    const store = await Store.open(config.data, { shared: true })
    try {
      const tls = flags['with-tls'] ? { tls: new TlsFolder(config.data) } : {}
      const source = { store, images: { logos: await LogoFiles.open(config.data) }, clock, ...tls }
      const { url, logos, size, hasDeletedData } = remote
        ? await createAndUpload(source, remote, stopping.signal, name)
        : { ...(await createBackup(source, target, stopping.signal)), url: target }
      stdout.write(`Backed up the board to ${url} (logos: ${logos}, bytes: ${size}).\n`)
      if (!remote && config.backupKeyFile)
        stderr.write(`${target} is not encrypted: --backup-key-file is only for backups in a bucket.\n`)
      if (hasDeletedData) stderr.write(`${DELETED_DATA_WARNING}\n`)
    } finally {
      await store.close()
    }
  },
})

export const restoreCommand = command({
  name: 'restore',
  activity: 'restoring the backup',
  summary: 'restore a backup into an empty data directory',
  details: `The checksums of the backup are verified first. The server must not be running. Of a folder in a bucket (s3://BUCKET/PREFIX),
it restores the newest backup. An encrypted backup requires --backup-key-file.`,
  args: ['FILE|s3://…'],
  flags: {},
  options: ['data', ...REMOTE_OPTIONS],
  run: async ({ args: [source], config, stdout }) => {
    const { taken_at: takenAt } = isS3Url(source)
      ? await restoreFromS3(locationOf(source), config.data, config)
      : await restoreFile(source, config.data, config.backupKeyFile)
    stdout.write(`Restored the board of ${takenAt} to ${config.data}.\n`)
  },
})

/** @throws UsageError if the name of a backup says that it is encrypted, and it would not be */
function requireEncryptable(target: string, hasKey: boolean) {
  if (!target.endsWith(ENCRYPTED)) return
  if (!isS3Url(target))
    throw new UsageError([
      `Only backups in a bucket are encrypted: choose a name that doesn't end in ${ENCRYPTED} (given: "${target}").`,
    ])
  if (!hasKey)
    throw new UsageError([`${target} requires --backup-key-file: ${ENCRYPTED} means an encrypted backup.`])
}
