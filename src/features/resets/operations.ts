import { messageResponse, operation } from '../../http/operation.ts'
import { NewPassword, ResetRequest } from './schema.ts'

export const resetOperations = {
  request: operation({
    id: 'requestPasswordReset',
    tag: 'Users',
    summary: 'Ask for a way to a new password',
    description: 'The answer is the same for every address: only its mail tells whether there is an account.',
    body: ResetRequest,
    responses: {
      202: messageResponse(
        'Please look into your mail: if the address has an account, there is a way to a new password.',
        'Heard. A mail goes out if the address has an account and the board sends mail.',
      ),
    },
  }),

  reset: operation({
    id: 'resetPassword',
    tag: 'Users',
    summary: 'Set a new password',
    description: 'With the token of the mail, which works once. It confirms the address too.',
    body: NewPassword,
    responses: { 200: messageResponse('The new password holds from now on.', 'The password was set.') },
    errors: { notFound: 'The token is wrong, or too old, or was used already.' },
  }),
}
