/** The groups of operations in the API documentation, in order. */
export const TAGS = {
  Jobs: 'List, search, read and post jobs.',
  Sources: 'Jobs from elsewhere, in step with their source.',
  Categories: 'Categories of jobs. Deleting a category deletes its jobs too.',
  Terms: 'Employment terms, such as full-time. Deleting a term deletes its jobs too.',
  Plans: 'The price of a job, how long it stays active, and how it stands out.',
  Users: 'Accounts, registration and password resets.',
  Tokens: 'Access tokens for programs, in place of a password.',
  Subscribers: 'Job alerts by e-mail, sent to confirmed addresses only.',
  Analytics: 'Page views and where they came from, without tracking anybody.',
  Images: 'Logos, and preview images of jobs for social networks.',
  Mail: 'The queue of e-mails, for administrators.',
  Webhooks: 'Messages about changes to other programs, by the specification of Standard Webhooks 1.0.0.',
  Board: 'The health of the board, and the documentation of the API.',
}
export type Tag = keyof typeof TAGS
