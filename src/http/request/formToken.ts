import type { Session } from '../../base/caller.ts'

/** The name of the field that contains the token. */
export const FORM_TOKEN = 'csrf'

/**
 * Returns a token for the forms of a session, valid for a day. Other sites can't know one, so a form that has it comes from
 * a page of this board. It is signed with the session's secret, so it outlives a restart.
 */
export const formToken = ({ id, token }: Session): string =>
  Bun.CSRF.generate(token, { sessionId: String(id) })

export const isFormToken = ({ id, token }: Session, value: unknown): boolean =>
  typeof value === 'string' &&
  value !== '' &&
  Bun.CSRF.verify(value, { secret: token, sessionId: String(id) })
