import { fileResponse, operation } from '../../http/operation.ts'
import { LOGO_TYPE } from '../../images/logoEncoder.ts'

export const logoOperation = operation({
  id: 'getLogo',
  tag: 'Images',
  summary: 'Read a logo',
  description:
    "At the address that a job's `logo` names. What is there never changes: another logo has another name.",
  responses: { 200: fileResponse(LOGO_TYPE, 'The logo.') },
  errors: { notFound: 'There is no such logo.' },
})
