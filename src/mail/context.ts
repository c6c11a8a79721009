import type { Links } from '../http/response/links.ts'
import type { JobIndex } from '../search/jobIndex.ts'
import type { FunnelCounts } from '../store/countRows.ts'
import type { MailContent } from '../store/rows.ts'
import type { LinkRequest } from './linkLimits.ts'
import type { Message } from './message.ts'

/** A message that has no id yet. */
export type RenderedMail = Omit<Message, 'id'>

/** The data that templates can use: the board's and the mail's. */
export interface MailContext extends LinkRequest {
  readonly links: Links
  readonly jobIndex: JobIndex
  readonly boardName: string
  readonly countsOf: CountsOf
  /** Whether the board has pages, which mails then link to rather than to JSON. */
  readonly hasPages: boolean
}

/** Returns how often a job was shown, read and applied for. */
export type CountsOf = (jobId: number) => FunnelCounts

export type MailKind = MailContent['kind']

/** Renders mails of one kind; undefined if the mail is out of date. */
export type Template<K extends MailKind> = (
  content: MailContent & { kind: K },
  context: MailContext,
) => RenderedMail | undefined
