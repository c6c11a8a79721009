import { listResponse, operation } from '../../http/operation.ts'
import { PagingQuery } from '../../http/response/paging.ts'
import { IncompleteJob } from './schema.ts'

export const structuredDataOperation = operation({
  id: 'listLackingJobs',
  tag: 'Board',
  summary: 'List the jobs that search engines are not told of',
  description:
    'Active jobs whose location does not tell the country, without which their page carries no `JobPosting` data. There only while the board shows pages.',
  query: PagingQuery,
  responses: { 200: listResponse(IncompleteJob, 'The jobs, with what they lack.') },
})
