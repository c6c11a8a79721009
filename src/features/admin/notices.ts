/** What pages say after a change. The query names the notice, so that nobody can make a page say something else. */
const NOTICES: Readonly<Record<string, string>> = {
  saved: 'Your changes are saved.',
  created: 'Created.',
  deleted: 'Deleted.',
  putBack: 'Put back.',
  approved: 'Approved.',
  refused: 'Refused. The owner gets an e-mail with the reason.',
  closed: 'Closed.',
  archived: 'Archived. No new job can use it.',
  activated: 'Activated. Jobs can use it again.',
  sent: 'The test e-mail is on its way to you.',
  resent: 'It will be sent again at once.',
  backedUp: 'The backup is complete.',
  confirmed: 'Confirmed.',
  added: 'Added.',
  invited: 'Added. The address gets a link to confirm.',
  enabled: 'Enabled.',
  disabled: 'Disabled. Nothing more is sent.',
  delivered: 'The test was delivered.',
  undelivered: "The test wasn't delivered. The list below says why.",
  linkSent: 'The address gets a new link to confirm.',
}

/** Returns the notice that a query names, or empty text. */
export const noticeOf = (query: ReadonlyMap<string, string>) => NOTICES[query.get('done') ?? ''] ?? ''

/** Returns a path with a notice for the page. */
export const withNotice = (path: string, notice: keyof typeof NOTICES) =>
  `${path}${path.includes('?') ? '&' : '?'}done=${notice}`
