import { list, operation } from '../../http/operation.ts'
import { PageQuery } from '../../http/paging.ts'
import { LackingJob } from './schema.ts'

export const structuredDataOperation = operation({
  id: 'listLackingJobs',
  tag: 'Board',
  summary: 'List the jobs that search engines are not told of',
  description:
    'Active jobs whose location does not tell the country, without which their page carries no `JobPosting` data. There only while the board shows pages.',
  query: PageQuery,
  answers: { 200: list(LackingJob, 'The jobs, with what they lack.') },
})
