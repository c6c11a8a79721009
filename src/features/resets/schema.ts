import { Type } from '@sinclair/typebox'
import { accountAddress, newPassword } from '../../base/textkinds.ts'

export const ResetRequest = Type.Object({ email: accountAddress({}) })

export const NewPassword = Type.Object({
  password: newPassword({ description: 'At least 8 characters, at most 256 bytes.' }),
})
