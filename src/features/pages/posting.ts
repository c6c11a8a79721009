import type { Board } from '../../board.ts'
import type { JobRow } from '../../store/rows.ts'
import { foldName } from '../../store/tables.ts'
import { cardsOf, type JobCard, presentJobCard } from './card.ts'
import { descriptionOf, summarize } from './description.ts'
import { jobPosting } from './jobPosting.ts'
import { embeddedJson, feedsOf, type Head, longDate, machineDate } from './view.ts'

const MAX_OTHER_JOBS = 5

/** Returns the view of a posting's template. */
export function presentPosting(board: Board, job: JobRow) {
  const card = presentJobCard(board, job)
  const html = descriptionOf(board, job)
  return {
    head: headOf(board, job, card, html),
    job: {
      ...card,
      description_html: html,
      apply: applicationOf(job),
      closes:
        job.expiresAt === null ? null : { at: machineDate(job.expiresAt), text: longDate(job.expiresAt) },
    },
    more: cardsOf(board, otherJobsOf(board, job)),
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
  const name = foldName(company)
  return jobIndex.active.filter(other => other.company === name && other.id !== id).slice(0, MAX_OTHER_JOBS)
}

/** Returns the target of the Apply button. In e-mail addresses, characters with a meaning in URLs are encoded. */
function applicationOf({ applicationType, applicationUrl: url, applicationEmail: email, title }: JobRow) {
  if (applicationType === 'url')
    return { type: 'url', href: url, host: new URL(url).hostname.replace(/^www\./, '') }
  const at = email.lastIndexOf('@')
  const address = `${encodeURIComponent(email.slice(0, at))}@${email.slice(at + 1)}`
  return { type: 'email', href: `mailto:${address}?subject=${encodeURIComponent(title)}`, host: email }
}
