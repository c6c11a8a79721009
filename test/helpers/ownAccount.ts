import type { TestBoard } from './board.ts'

/** Reads the caller's own account with these credentials, from an address. */
export const readOwnAccount = (board: TestBoard, authorization: string, address = '198.51.100.1') =>
  board.get('/users/me.json', { headers: { authorization, 'x-forwarded-for': address } })
