import { join } from 'node:path'
import { createBackup, DELETED_DATA_WARNING } from '../features/backups/actions.ts'
import { restore } from '../features/backups/restore.ts'
import { LOGO_FOLDER, LogoFiles } from '../images/logoFiles.ts'
import { Store } from '../store/store.ts'
import { command, CommandError } from './command.ts'

export const backupCommand = command({
  name: 'backup',
  summary: 'writes records and logos into one file',
  details: `Works beside a running server, which goes on writing. FILE is a tar archive with checksums; a backup of that
name is replaced. Deleted records are not in it, although data.mdb keeps them until it reuses their space.`,
  args: ['FILE'],
  flags: {},
  options: ['data'],
  run: async ({ args: [file], config, clock, stdout, stderr, onStop }) => {
    const stopping = new AbortController()
    onStop(() => stopping.abort(new CommandError('Stopped: no backup was made.')))
    const store = await Store.open(config.data, { shared: true })
    try {
      const logos = await LogoFiles.open(join(config.data, LOGO_FOLDER))
      const result = await createBackup({ store, logos, clock }, file, stopping.signal)
      stdout.write(`${file} holds the whole board now (logos: ${result.logos}, bytes: ${result.size}).\n`)
      if (result.hasDeletedData) stderr.write(`${DELETED_DATA_WARNING}\n`)
    } finally {
      await store.close()
    }
  },
})

export const restoreCommand = command({
  name: 'restore',
  summary: 'puts a backup into an empty data directory',
  details: 'The whole backup is compared with its checksums first. No server may run on the data directory.',
  args: ['FILE'],
  flags: {},
  options: ['data'],
  run: async ({ args: [file], config, stdout }) => {
    const { taken_at: takenAt } = await restore(file, config.data)
    stdout.write(`${config.data} holds the board now as it was at ${takenAt}.\n`)
  },
})
