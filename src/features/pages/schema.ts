import { Type } from '@sinclair/typebox'
import { shownAddress, shownId, shownObject } from '../../http/shown.ts'

/** What search engines can't be told of a job, because its location does not give it. */
export const LackingJob = shownObject('LackingJob', {
  id: shownId(17),
  title: Type.String({ examples: ['Palliative care nurse'] }),
  location: Type.String({ examples: ['On the coast'] }),
  missing: Type.Array(Type.String(), {
    description: 'The properties of `JobPosting` (schema.org) that are needed and not known.',
    examples: [['jobLocation.address.addressCountry']],
  }),
  url: shownAddress("The job's own.", 'https://board.example.com/jobs/17.json'),
})
