import { itemResponse, operation } from '../../http/operation.ts'
import { Health } from './schema.ts'

export const healthOperation = operation({
  id: 'getHealth',
  tag: 'Board',
  summary: 'Ask whether the board is well',
  description: 'While it starts or stops, it says so with 503.',
  forAccounts: 'Administrators see when the last backup was made.',
  responses: { 200: itemResponse(Health, 'It serves.') },
})
