import { Type } from '@sinclair/typebox'
import { fileResponse, operation } from '../../http/operation.ts'
import { CARD_TYPE } from '../../images/cardRenderer.ts'

export const pictureOperation = operation({
  id: 'getJobPicture',
  tag: 'Images',
  summary: "Read a job's image",
  description:
    'A PNG of 1200 × 630 pixels that tells of the job, to be shown where a link to it is. At the address that `preview_image_url` names it never changes; without the current `v` it is kept for five minutes.',
  forAccounts: 'Its owner and administrators see it also while the job is not active.',
  query: Type.Object({
    v: Type.Optional(
      Type.String({ description: 'The version of what the image shows.', examples: ['2zq1x5dnv8e3k'] }),
    ),
  }),
  responses: { 200: fileResponse(CARD_TYPE, 'The image.') },
  errors: { notFound: 'There is no such job, or none that the caller may know of.' },
})
