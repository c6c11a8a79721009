import { isUnnamed } from '../../base/company.ts'
import type { Board } from '../../board.ts'
import { type Status, statusOf } from '../../store/jobStatus.ts'
import type { JobRow } from '../../store/rows.ts'
import { foldName } from '../../store/tables.ts'
import { cardsOf, type JobCard, presentJobCard } from './card.ts'
import { descriptionOf, summarize } from './description.ts'
import { jobPosting } from './jobPosting.ts'
import { queryText } from './query.ts'
import { embeddedJson, feedsOf, type Head, longDate, machineDate } from './view.ts'

/** How many other jobs of the company, and of the category, a posting shows. */
const MAX_OTHER_JOBS = 3

/** What the page of a job says that is not open. Except for filled jobs, only its owner and administrators see it. */
const BANNERS: Partial<Record<Status, string>> = {
  draft: 'This job is a draft.',
  pending: 'This job is awaiting approval.',
  refused: 'This job was not approved.',
  scheduled: 'This job is not published yet.',
  filled: 'This job has been filled.',
  closed: 'This job is closed.',
  expired: 'This job has expired.',
}

/** Returns the view of a posting's template. */
export function presentPosting(board: Board, job: JobRow) {
  const card = presentJobCard(board, job)
  const html = descriptionOf(board, job)
  const status = statusOf(job, board.clock())
  const isOpen = status === 'active'
  const head = headOf(board, job, card, isOpen ? html : undefined)
  const colleagues = otherJobsOf(board, job)
  const isColleague = new Set(colleagues.map(({ id }) => id))
  const similar = board.jobIndex.active.filter(
    ({ id, categoryId }) => categoryId === job.categoryId && id !== job.id,
  )
  const bestSimilar = similar
    .filter(({ id }) => !isColleague.has(id))
    .toSorted((a, b) => Number(b.termId === job.termId) - Number(a.termId === job.termId))
  return {
    head,
    job: {
      ...card,
      description_html: html,
      banner: BANNERS[status] ?? '',
      apply: isOpen ? applicationOf(job) : null,
      closes:
        job.expiresAt === null || !isOpen
          ? null
          : { at: machineDate(job.expiresAt), text: longDate(job.expiresAt) },
      share_href: `mailto:?subject=${encodeURIComponent(head.title)}&body=${encodeURIComponent(head.canonical)}`,
    },
    more: {
      jobs: cardsOf(board, colleagues.slice(0, MAX_OTHER_JOBS)),
      // Counts are those of the lists that the links lead to, which include this job while it is open.
      total: colleagues.length + Number(isOpen),
      path: `/${queryText({ company: job.company })}`,
    },
    similar: {
      jobs: cardsOf(board, bestSimilar.slice(0, MAX_OTHER_JOBS)),
      total: similar.length + Number(isOpen),
      path: `/${queryText(job.categoryId === null ? {} : { category: job.categoryId })}`,
    },
  }
}

/** @param html the description of an open job. Other jobs are not indexed, and have no structured data. */
function headOf({ config, links }: Board, job: JobRow, card: JobCard, html: string | undefined): Head {
  const posting = html === undefined ? undefined : jobPosting(job, html, card.term?.name ?? '', links)
  return {
    title: `${job.title} at ${job.company} · ${config.name}`,
    description: summarize(job.description),
    canonical: links.to(`/jobs/${job.id}`),
    is_indexed: html !== undefined,
    image: card.preview_image_url,
    json_ld: posting ? embeddedJson(posting) : '',
    feeds: feedsOf({}),
  }
}

/** Returns other active jobs of the same company. */
function otherJobsOf({ jobIndex }: Board, { id, company }: JobRow) {
  if (isUnnamed(company)) return []
  const name = foldName(company)
  return jobIndex.active.filter(other => other.company === name && other.id !== id)
}

/** Returns the target of the Apply button, which redirects to the address for applications and counts the click. */
const applicationOf = ({
  id,
  applicationType: type,
  applicationUrl: url,
  applicationEmail: email,
}: JobRow) => ({
  type,
  href: `/jobs/${id}/apply`,
  host: type === 'url' ? new URL(url).hostname.replace(/^www\./, '') : email,
})
