import { readdirSync } from 'node:fs'
import { SECOND } from '../../base/clock.ts'
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import type { RequestCounts } from '../../http/requestCounts.ts'
import { freeSpace } from '../../store/diskSpace.ts'
import { STATUSES, statusOf } from '../../store/jobStatus.ts'
import { WEBHOOK_STATUSES } from '../../store/webhookRows.ts'
import { Exposition } from './exposition.ts'

const MICROSECONDS = 1_000_000
/** Where Linux lists the files and connections that a process has open. */
const OPEN_FILES = '/proc/self/fd'

/** Returns the metrics of a board in Prometheus' text format. Counters start with the process. */
export function metricsText(board: Board, requests: RequestCounts): string {
  const metrics = new Exposition()
  metrics.gauge('corkboard_info', 'The version of the program.', [[{ version }, 1]])
  addRequests(metrics, requests)
  addStore(metrics, board)
  addBackups(metrics, board)
  addJobs(metrics, board)
  addCaches(metrics, board)
  addMails(metrics, board)
  addWebhooks(metrics, board)
  addCertificate(metrics, board)
  addProcess(metrics)
  return metrics.text
}

function addRequests(metrics: Exposition, requests: RequestCounts) {
  const all = requests.all().map(({ method, route, ...counts }) => ({ labels: { method, route }, ...counts }))
  metrics
    .counter(
      'corkboard_http_requests_total',
      'Requests by route and status.',
      all.flatMap(({ labels, statuses }) =>
        [...statuses].map(([status, count]) => [{ ...labels, status }, count] as const),
      ),
    )
    .histogram(
      'corkboard_http_request_duration_seconds',
      'The time from the arrival of a request until its response is ready.',
      all.map(({ labels, durations }) => [labels, durations]),
    )
}

function addStore(metrics: Exposition, { store }: Board) {
  const { waits, durations, failed } = store.writeCounts
  metrics
    .histogram('corkboard_write_wait_seconds', 'The time until the transaction of a write begins.', [
      [{}, waits],
    ])
    .histogram('corkboard_write_duration_seconds', 'The time until a write is on disk.', [[{}, durations]])
    .counter('corkboard_write_failures_total', 'Writes that were refused or failed.', failed)
    .gauge('corkboard_data_size_bytes', 'The size of the data file.', store.size)
    .gauge('corkboard_disk_free_bytes', 'Free space on the disk of the data.', freeSpace(store.folder))
}

function addBackups(metrics: Exposition, { store, backups }: Board) {
  const seconds = (time: number | undefined) => (time === undefined ? undefined : time / SECOND)
  metrics
    .gauge(
      'corkboard_last_backup_timestamp_seconds',
      'When the last backup was taken.',
      seconds(store.lastBackupAt),
    )
    .gauge(
      'corkboard_last_upload_timestamp_seconds',
      'When a backup was last uploaded.',
      seconds(store.timeOf('upload')),
    )
    .counter('corkboard_backup_failures_total', 'Daily backups that failed.', backups.failures)
}

function addJobs(metrics: Exposition, { jobIndex, clock, search }: Board) {
  const now = clock()
  const byStatus = new Map<string, number>(STATUSES.map(status => [status, 0]))
  for (const job of jobIndex.all) {
    const status = statusOf(job, now)
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  }
  metrics
    .gauge(
      'corkboard_jobs',
      'Jobs by status.',
      [...byStatus].map(([status, count]) => [{ status }, count]),
    )
    .gauge(
      'corkboard_search_ready',
      'Whether searches have all changes: 1, or 0 while they wait.',
      search.isBehind ? 0 : 1,
    )
    .gauge('corkboard_search_waiting_jobs', 'Changed jobs that are not indexed yet.', search.backlog)
}

function addCaches(metrics: Exposition, { responses }: Board) {
  const { entries, size, maxSize } = responses.usage
  const { hits, misses } = responses.lookups
  metrics
    .gauge('corkboard_cache_entries', 'Cached replies and parts of them.', entries)
    .gauge('corkboard_cache_size_bytes', 'The memory that they use.', size)
    .gauge('corkboard_cache_limit_bytes', 'The memory that they may use.', maxSize)
    .counter('corkboard_cache_lookups_total', 'Uses of cached replies, and replies that had to be made.', [
      [{ result: 'hit' }, hits],
      [{ result: 'miss' }, misses],
    ])
}

function addMails(metrics: Exposition, { mail }: Board) {
  const { counts } = mail
  metrics
    .gauge(
      'corkboard_mails',
      'E-mails in the queue, and those that failed and are not tried again.',
      counts && [
        [{ state: 'waiting' }, counts.waiting],
        [{ state: 'failed' }, counts.failed],
      ],
    )
    .counter('corkboard_mails_sent_total', 'E-mails that the mail server accepted.', counts?.sent)
    .counter('corkboard_mail_attempts_failed_total', 'Failed attempts to send.', counts?.failedAttempts)
}

function addWebhooks(metrics: Exposition, { store, webhooks }: Board) {
  const rows = store.read.webhooks.all()
  const { delivered, failed } = webhooks.counts
  metrics
    .gauge(
      'corkboard_webhooks',
      'Webhooks by status.',
      WEBHOOK_STATUSES.map(status => [{ status }, rows.filter(row => row.status === status).length] as const),
    )
    .counter('corkboard_webhook_deliveries_total', 'Tries to deliver a change or a test.', [
      [{ result: 'delivered' }, delivered],
      [{ result: 'failed' }, failed],
    ])
}

/** Adds the end of the board's own certificate, if it has one. */
function addCertificate(metrics: Exposition, { certificate: { expiresAt }, clock }: Board) {
  if (expiresAt === undefined) return
  metrics
    .gauge(
      'corkboard_certificate_expiry_timestamp_seconds',
      'The end of the certificate.',
      expiresAt / SECOND,
    )
    // Prometheus' conventions allow only base units, so these are not days.
    .gauge('corkboard_certificate_remaining_seconds', 'The time until then.', (expiresAt - clock()) / SECOND)
}

/** Adds metrics with the names that all Prometheus clients share. The process that draws images isn't included. */
function addProcess(metrics: Exposition) {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  metrics
    .gauge('process_resident_memory_bytes', 'The memory of the process.', rss)
    .gauge('process_heap_bytes', 'The memory of its objects.', heapUsed)
    .counter('process_cpu_seconds_total', 'Processor time in seconds.', (user + system) / MICROSECONDS)
    .gauge(
      'process_start_time_seconds',
      'When the process started.',
      Math.round(performance.timeOrigin / SECOND),
    )
    .gauge('process_open_fds', 'Open files and connections.', openFiles())
}

function openFiles(): number | undefined {
  try {
    return readdirSync(OPEN_FILES).length
  } catch {
    return undefined
  }
}
