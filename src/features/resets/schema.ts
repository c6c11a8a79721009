import { Type } from '@sinclair/typebox'
import { accountEmailField, passwordField } from '../../validation/textFields.ts'

export const ResetRequest = Type.Object(
  {
    email: accountEmailField({
      description: "The account's address.",
      examples: ['ines@harbour.example.org'],
    }),
  },
  { $id: 'NewReset' },
)

export const NewPassword = Type.Object(
  {
    password: passwordField({
      description: 'At least 8 characters, at most 256 bytes in UTF-8.',
      examples: ['correct horse battery'],
    }),
  },
  { $id: 'NewPassword' },
)
