import type { MailContent } from '../store/rows.ts'
import type { MailContext, MailKind, RenderedMail, Template } from './context.ts'
import { approved, digest, refused, waiting } from './jobTemplates.ts'
import { account, registered, reset, subscription } from './linkTemplates.ts'

const TEMPLATES: { readonly [K in MailKind]: Template<K> } = {
  subscription,
  digest,
  account,
  registered,
  reset,
  waiting,
  approved,
  refused,
}

/**
 * Renders a mail as things are now; undefined if there is nothing left to say. Issues the tokens of its links, which
 * nobody but the recipient learns.
 */
export function renderMail(content: MailContent, context: MailContext): RenderedMail | undefined {
  // The template is the one of the content's kind, which TypeScript does not follow through the union.
  const render = TEMPLATES[content.kind] as Template<MailKind>
  return render(content, context)
}
