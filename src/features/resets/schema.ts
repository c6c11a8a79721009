import { Type } from '@sinclair/typebox'
import { accountAddress, newPassword } from '../../base/textkinds.ts'

export const ResetRequest = Type.Object(
  {
    email: accountAddress({ description: 'Of an account.', examples: ['ines@harbour.example.org'] }),
  },
  { $id: 'NewReset' },
)

export const NewPassword = Type.Object(
  {
    password: newPassword({
      description: 'At least 8 characters, at most 256 bytes in UTF-8.',
      examples: ['correct horse battery'],
    }),
  },
  { $id: 'NewPassword' },
)
