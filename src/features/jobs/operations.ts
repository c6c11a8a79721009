import { Type } from '@sinclair/typebox'
import {
  createdResponse,
  itemResponse,
  listResponse,
  messageResponse,
  operation,
} from '../../http/operation.ts'
import { Job, OwnJob } from './responseSchemas.ts'
import { JobPatch, JobQuery, NewJob } from './schema.ts'

const LOGO = {
  name: 'logo',
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  description:
    'PNG, JPEG, WebP or GIF by its content, at most 5 MB (5,242,880 bytes) and 16 megapixels. It is re-encoded as WebP within 512 × 512 pixels. An empty text takes the logo away.',
} as const

export const jobOperations = {
  list: operation({
    id: 'listJobs',
    tag: 'Jobs',
    summary: 'List and search jobs',
    description:
      'All active jobs that pass every filter: those on a pinning plan first, then the newest; with `q` the best first. A blank filter is none, and an id that does not exist finds nothing. Every match is returned, unless `page` or `per_page` asks for a page of them.',
    forAccounts:
      'Owners and administrators see their jobs in full, and with `status` those that are not active; `mine` needs an account too.',
    query: JobQuery,
    responses: {
      200: listResponse(
        Type.Union([OwnJob, Job]),
        'The jobs, or a page of them; each as the caller may see it.',
      ),
    },
  }),

  read: operation({
    id: 'getJob',
    tag: 'Jobs',
    summary: 'Read a job',
    description: 'Each time somebody else than its owner or an administrator reads it is counted.',
    forAccounts: 'Its owner and administrators see the job in full, and also while it is not active.',
    responses: { 200: itemResponse(Type.Union([OwnJob, Job]), 'The job, as the caller may see it.') },
    errors: {
      notFound: 'There is no such job, or none that the caller may know of: it is expired or pending.',
    },
  }),

  create: operation({
    id: 'createJob',
    tag: 'Jobs',
    summary: 'Post a job',
    description:
      "The job belongs to the account that posts it. It is active at once and until its plan's period is over, or, where the board has jobs approved, `pending` until an administrator does.",
    body: NewJob,
    file: LOGO,
    responses: { 201: createdResponse(OwnJob, 'The job was posted.') },
    errors: { forbidden: "The account's e-mail address is not confirmed yet." },
  }),

  update: operation({
    id: 'updateJob',
    tag: 'Jobs',
    summary: 'Change a job',
    description:
      'For its owner and administrators. What is not sent keeps its value, and the rules hold for the job as it will be. A job keeps its plan. Where the board has jobs approved, it is pending again once its owner changes its title, description, location, company, links, addresses or logo; its end stays the same.',
    body: JobPatch,
    isPatch: true,
    file: LOGO,
    responses: { 200: itemResponse(OwnJob, 'The job as it is now.') },
    errors: {
      forbidden: "The job is another's.",
      notFound: 'There is no such job, or none that the caller may know of.',
    },
  }),

  remove: operation({
    id: 'deleteJob',
    tag: 'Jobs',
    summary: 'Delete a job',
    description: 'For its owner and administrators. Its logo goes with it.',
    responses: {
      200: messageResponse('The job "Palliative care nurse" was deleted.', 'The job was deleted.'),
    },
    errors: {
      forbidden: "The job is another's.",
      notFound: 'There is no such job, or none that the caller may know of.',
    },
  }),

  approve: operation({
    id: 'approveJob',
    tag: 'Jobs',
    summary: 'Approve a pending job',
    description:
      'It becomes active. Its period counts from now, unless it was active before: then its end stays the same. A job that is not pending stays as it is.',
    responses: {
      200: messageResponse('The job "Palliative care nurse" is approved.', 'The job is approved.'),
    },
  }),
}
