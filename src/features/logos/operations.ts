import { file, operation } from '../../http/operation.ts'
import { LOGO_TYPE } from '../../images/logo.ts'

export const logoOperation = operation({
  id: 'getLogo',
  tag: 'Images',
  summary: 'Read a logo',
  description:
    "At the address that a job's `logo` names. What is there never changes: another logo has another name.",
  answers: { 200: file(LOGO_TYPE, 'The logo.') },
  refuses: { missing: 'There is no such logo.' },
})
