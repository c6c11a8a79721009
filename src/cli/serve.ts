import { Board } from '../board.ts'
import { baseUrlOf, type Config } from '../config/config.ts'
import { SERVER_KEYS } from '../config/options.ts'
import { type BackupSchedule, createSchedule } from '../features/backups/schedule.ts'
import { Log } from '../http/log.ts'
import { createApp } from '../server/app.ts'
import { NO_UPGRADE_BACKUP } from '../store/upgradeBackup.ts'
import { removeStaleWorkFolders } from '../store/workFolder.ts'
import { ensureAdministrator } from './administrator.ts'
import { type BoardListener, listen } from './boardListener.ts'
import { type CertificateSource, createCertificateSource } from './certificate.ts'
import { command } from './command.ts'
import type { Host } from './host.ts'
import { fillWithSample } from './sample.ts'
import { startMessage } from './startMessage.ts'

const STOPPED_AT_ONCE = 1

export const serveCommand = command({
  name: 'serve',
  activity: 'running the server',
  summary: 'start the server',
  details: "Creates the data directory and the first administrator if they don't exist yet.",
  args: [],
  flags: {
    sample: { help: 'fill an empty data directory with a sample board' },
    [NO_UPGRADE_BACKUP]: { help: 'no backup before records of an older version are upgraded' },
  },
  options: SERVER_KEYS,
  run: async ({ config, flags, ...host }) => {
    const stopped = firstStopRequest(host)
    const log = openLog(config, host)
    const listener = listen(config)
    try {
      const baseUrl = baseUrlOf(config, listener.port)
      const board = await Board.open(config, host.clock, log, baseUrl, !flags[NO_UPGRADE_BACKUP])
      logUpgrade(board)
      host.onReload(() => void board.loadSynonyms())
      const schedule = createSchedule(board)
      const certificate = createCertificateSource(board, listener)
      host.onReload(() => void certificate?.check())
      try {
        await removeStaleWorkFolders(config.data)
        await open({ board, schedule, listener, certificate }, flags.sample, host)
        host.serviceManager.ready()
        await stopped
        host.serviceManager.stopping()
        log.info('stopping')
        board.journalTimer.watch.close()
        await listener.drain()
      } finally {
        await certificate?.close()
        await schedule?.close()
        await board.close()
      }
    } finally {
      await listener.drain()
    }
  },
})

function logUpgrade({ store: { upgrade }, log }: Board) {
  if (upgrade) log.info('the records were upgraded', { from_schema: upgrade.from, backup: upgrade.backup })
}

/** Resolves at the first request to stop. The second one ends the process at once. */
function firstStopRequest({ onStop, exit }: Host): Promise<void> {
  const requested = Promise.withResolvers<void>()
  let requests = 0
  onStop(() => {
    requests++
    if (requests > 1) exit(STOPPED_AT_ONCE)
    requested.resolve()
  })
  return requested.promise
}

function openLog({ log: format, logLevel }: Config, { stderr, clock, onUnhandled }: Host): Log {
  const log = new Log({ write: text => void stderr.write(text), flush: () => {} }, format, logLevel, clock)
  onUnhandled(error => log.error('an error was not handled', { cause: Bun.inspect(error) }))
  return log
}

interface Opening {
  readonly board: Board
  readonly schedule: BackupSchedule | undefined
  readonly listener: BoardListener
  readonly certificate: CertificateSource | undefined
}

/**
 * Creates missing records, starts to serve requests, and prints the start message. The administrator is created after
 * everything that can fail: otherwise a generated password might never be shown.
 */
async function open(
  { board, schedule, listener, certificate }: Opening,
  withSample: boolean,
  { stdout }: Host,
) {
  const app = createApp(board, listener)
  schedule?.makeFolder()
  if (withSample) await fillWithSample(board)
  const administrator = await ensureAdministrator(board)
  schedule?.start()
  listener.serve(app.fetch)
  await certificate?.start()
  const isEmpty = board.jobIndex.all.length === 0
  stdout.write(
    startMessage({
      config: board.config,
      port: listener.port,
      administrator,
      withSample,
      isEmpty,
      hasCertificate: board.certificate.expiresAt !== undefined,
    }),
  )
}
