import { type Static, Type } from '@sinclair/typebox'
import { objectSchema } from '../../http/openapi/responseSchemas.ts'
import { Job } from '../jobs/responseSchemas.ts'

const { id, title, url } = Job.properties

/** What search engines can't be told of a job, because its location does not give it. */
export const IncompleteJob = objectSchema('LackingJob', {
  id,
  title,
  location: { ...Job.properties.location, examples: ['On the coast'] },
  missing: Type.Array(Type.String(), {
    description: 'The properties of `JobPosting` (schema.org) that are needed and not known.',
    examples: [['jobLocation.address.addressCountry']],
  }),
  url,
})

export type IncompleteJob = Static<typeof IncompleteJob>
