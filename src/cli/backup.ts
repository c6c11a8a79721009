import { createBackup, DELETED_DATA_WARNING } from '../features/backups/actions.ts'
import { restore } from '../features/backups/restore.ts'
import { LogoFiles } from '../images/logoFiles.ts'
import { Store } from '../store/store.ts'
import { command, CommandError } from './command.ts'

export const backupCommand = command({
  name: 'backup',
  activity: 'creating the backup',
  summary: 'back up records and logos to one file',
  details: `Safe on a running server. FILE is a tar archive with checksums and replaces an older backup of that name. It
contains deleted records only as long as the journal does (--journal-days), although data.mdb keeps them until it reuses their
space, and no address of a deleted account or subscriber.`,
  args: ['FILE'],
  flags: {},
  options: ['data'],
  run: async ({ args: [file], config, clock, stdout, stderr, onStop }) => {
    const stopping = new AbortController()
    onStop(() => stopping.abort(new CommandError('Stopped. No backup was created.')))
    const store = await Store.open(config.data, { shared: true })
    try {
      const logos = await LogoFiles.open(config.data)
      const result = await createBackup({ store, images: { logos }, clock }, file, stopping.signal)
      stdout.write(`Backed up the board to ${file} (logos: ${result.logos}, bytes: ${result.size}).\n`)
      if (result.hasDeletedData) stderr.write(`${DELETED_DATA_WARNING}\n`)
    } finally {
      await store.close()
    }
  },
})

export const restoreCommand = command({
  name: 'restore',
  activity: 'restoring the backup',
  summary: 'restore a backup into an empty data directory',
  details: 'The checksums of the backup are verified first. The server must not be running.',
  args: ['FILE'],
  flags: {},
  options: ['data'],
  run: async ({ args: [file], config, stdout }) => {
    const { taken_at: takenAt } = await restore(file, config.data)
    stdout.write(`Restored the board of ${takenAt} to ${config.data}.\n`)
  },
})
