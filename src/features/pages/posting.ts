import { isUnnamed } from '../../base/company.ts'
import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'
import { foldName } from '../../store/tables.ts'
import { cardsOf, type JobCard, presentJobCard } from './card.ts'
import { descriptionOf, summarize } from './description.ts'
import { jobPosting } from './jobPosting.ts'
import { queryText } from './query.ts'
import { embeddedJson, feedsOf, type Head, longDate, machineDate } from './view.ts'

/** How many other jobs of the company, and of the category, a posting shows. */
const MAX_OTHER_JOBS = 3

/** Returns the view of a posting's template. */
export function presentPosting(board: Board, job: JobRow) {
  const card = presentJobCard(board, job)
  const html = descriptionOf(board, job)
  const head = headOf(board, job, card, html)
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
      apply: applicationOf(job),
      closes:
        job.expiresAt === null ? null : { at: machineDate(job.expiresAt), text: longDate(job.expiresAt) },
      share_href: `mailto:?subject=${encodeURIComponent(head.title)}&body=${encodeURIComponent(head.canonical)}`,
    },
    more: {
      jobs: cardsOf(board, colleagues.slice(0, MAX_OTHER_JOBS)),
      // Counts are those of the lists that the links lead to, which include this job.
      total: colleagues.length + 1,
      path: `/${queryText({ company: job.company })}`,
    },
    similar: {
      jobs: cardsOf(board, bestSimilar.slice(0, MAX_OTHER_JOBS)),
      total: similar.length + 1,
      path: `/${queryText({ category: card.category.id })}`,
    },
  }
}

function headOf({ config, links }: Board, job: JobRow, card: JobCard, html: string): Head {
  const posting = jobPosting(job, html, card.term.name, links)
  return {
    title: `${job.title} at ${job.company} · ${config.name}`,
    description: summarize(job.description),
    canonical: links.to(`/jobs/${job.id}`),
    is_indexed: true,
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
