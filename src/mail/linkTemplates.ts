import { findUser } from '../accounts/users.ts'
import type { UserRow } from '../store/rows.ts'
import type { MailContext, RenderedMail, Template } from './context.ts'
import { issueLimited } from './linkLimits.ts'
import { codeBlock, linkParagraph, paragraph } from './message.ts'

export const subscription: Template<'subscription'> = ({ subscriberId }, context) => {
  const subscriber = context.tables.subscribers.get(subscriberId)
  const token = subscriber && !subscriber.confirmed && issueLimited('subscription', subscriber, context)
  if (!token) return undefined
  return {
    to: subscriber.email,
    subject: `Confirm your job alerts from ${context.boardName}`,
    parts: [
      paragraph(
        `Someone (probably you) used this address to subscribe to job alerts from ${context.boardName}.`,
      ),
      linkParagraph('Confirm my subscription', confirmation('subscribers', token, context)),
      paragraph(
        "The link is valid for 7 days. If this wasn't you, ignore this e-mail: you won't be subscribed.",
      ),
    ],
  }
}

export const account: Template<'account'> = ({ userId }, context) => {
  const user = context.tables.users.get(userId)
  const token = user && !user.confirmed && issueLimited('account', user, context)
  if (!token) return undefined
  return {
    to: user.email,
    subject: `Confirm your e-mail address for ${context.boardName}`,
    parts: [
      paragraph(`Someone (probably you) used this address for an account at ${context.boardName}.`),
      linkParagraph('Confirm my address', confirmation('users', token, context)),
      paragraph('The link is valid for 7 days. You can post jobs once your address is confirmed.'),
      paragraph(
        "If this wasn't you, ignore this e-mail: the account can't post jobs without your confirmation.",
      ),
    ],
  }
}

export const reset: Template<'reset'> = ({ email }, context) =>
  withResetCode(findUser(context.tables, email), context, {
    subject: `Reset your password for ${context.boardName}`,
    why: `Someone (probably you) asked to reset the password of your account at ${context.boardName}.`,
  })

/**
 * Says to someone who tried to register that they have an account. It has no link that confirms the address: someone
 * else may have created the unconfirmed account, with their own password. Resetting the password ends that.
 */
export const registered: Template<'registered'> = ({ userId }, context) =>
  withResetCode(context.tables.users.get(userId), context, {
    subject: `You already have an account at ${context.boardName}`,
    why: `Someone (probably you) tried to create an account at ${context.boardName} with this address, but there already is one. Sign in with its password, or reset it.`,
  })

export const signIn: Template<'signIn'> = ({ email }, context) => {
  const user = findUser(context.tables, email)
  const token = user && issueLimited('signIn', user, context)
  if (!token) return undefined
  return {
    to: user.email,
    subject: `Sign in to ${context.boardName}`,
    parts: [
      paragraph(
        `Someone (probably you) asked for a link to sign in to your account at ${context.boardName}.`,
      ),
      linkParagraph('Sign in', context.links.to(`/sign-in/confirm?token=${token}`)),
      paragraph("The link is valid for 15 minutes and works once. If this wasn't you, ignore this e-mail."),
    ],
  }
}

/**
 * Lets someone without an account post the job that they entered. The job's texts are left out, because anyone can request
 * this mail to any address.
 */
export const post: Template<'post'> = ({ jobId }, context) => {
  const { tables, links, boardName } = context
  const email = tables.jobs.get(jobId)?.claimEmail
  const token = email && issueLimited('post', { id: jobId, email }, context)
  if (!token) return undefined
  const isKnown = findUser(tables, email)?.confirmed === true
  return {
    to: email,
    subject: `Post your job on ${boardName}`,
    parts: [
      paragraph(`Someone (probably you) entered a job on ${boardName} with this address.`),
      linkParagraph('Post my job', links.to(`/post/confirm?token=${token}`)),
      paragraph(
        isKnown
          ? 'You already have an account: sign in, and the job is posted with it.'
          : 'The link confirms your address, creates your account and posts the job.',
      ),
      paragraph(
        "It is valid for 7 days and works once. If this wasn't you, ignore this e-mail: nothing is posted.",
      ),
    ],
  }
}

function withResetCode(
  user: UserRow | undefined,
  context: MailContext,
  { subject, why }: { subject: string; why: string },
): RenderedMail | undefined {
  const token = user && issueLimited('reset', user, context)
  if (!token) return undefined
  return {
    to: user.email,
    subject,
    parts: [
      paragraph(why),
      ...(context.hasPages ? resetLink(token, context) : resetCode(token, context)),
      paragraph("If this wasn't you, ignore this e-mail: your password stays the same."),
    ],
  }
}

const resetLink = (token: string, { links }: MailContext) => [
  linkParagraph('Choose a new password', links.to(`/reset/${token}`)),
  paragraph('The link is valid for 24 hours and works once.'),
]

/** Explains the reset on a board without pages. */
const resetCode = (token: string, { links }: MailContext) => [
  paragraph('This is your reset code. It is valid for 24 hours and works once:'),
  codeBlock(token),
  paragraph('To set a new password from a terminal:'),
  codeBlock(
    `curl -X PUT ${links.to(`/password-resets/${token}.json`)} \\\n  --data-urlencode 'password=YOUR NEW PASSWORD'`,
  ),
]

const confirmation = (what: 'subscribers' | 'users', token: string, { links, hasPages }: MailContext) =>
  links.to(`/${what}/confirm${hasPages ? '' : '.json'}?token=${token}`)
