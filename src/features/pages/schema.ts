import { type Static, Type } from '@sinclair/typebox'
import { objectSchema } from '../../http/openapi/responseSchemas.ts'
import { Job } from '../jobs/responseSchemas.ts'

const { id, title, url } = Job.properties

/** A job whose page has no structured data for search engines, because its location is unclear. */
export const IncompleteJob = objectSchema('IncompleteJob', {
  id,
  title,
  location: { ...Job.properties.location, examples: ['On the coast'] },
  missing: Type.Array(Type.String(), {
    description: 'The required properties of `JobPosting` (schema.org) that are unknown.',
    examples: [['jobLocation.address.addressCountry']],
  }),
  url,
})

export type IncompleteJob = Static<typeof IncompleteJob>
