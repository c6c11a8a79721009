import { Type } from '@sinclair/typebox'
import { ROLES } from '../../base/caller.ts'
import { choice } from '../../base/kinds.ts'
import { accountAddress, newPassword } from '../../base/textkinds.ts'

export const UserFields = Type.Object({
  email: accountAddress({ description: 'Kept and compared in lower case.' }),
  password: newPassword({ description: 'At least 8 characters, at most 256 bytes.' }),
  role: choice(ROLES, { default: 'user' }),
})

/** An account that somebody makes for themselves: what they say of a role is not heard. */
export const OwnAccount = Type.Omit(UserFields, ['role'])
