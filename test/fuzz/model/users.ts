import {
  faulty,
  forAdmins,
  FORBIDDEN,
  forUsers,
  isAdmin,
  MISSING,
  type Outcome,
  type Plans,
  type Records,
  type User,
} from './records.ts'
import { shownUser } from './shown.ts'

export interface UserInput {
  readonly email?: string
  readonly password?: string
  /** A blank one counts as not sent. */
  readonly role?: 'admin' | 'user' | '' | null
}

const normal = (email: string) => email.trim().toLowerCase()

const isLastAdmin = (records: Records, user: User) =>
  isAdmin(user) && records.users.all.filter(isAdmin).length === 1

export const postUser =
  (input: UserInput & { email: string; password: string }): Plans =>
  (records, who) => {
    const outcome = forAdmins(who, () => {
      if (records.user(normal(input.email))) return faulty(['email'])
      const moments = { createdAt: records.second, updatedAt: records.second }
      const { password } = input
      const role = input.role || 'user'
      const user = records.users.add({ email: normal(input.email), password, role, ...moments })
      return { status: 201, body: shownUser(user) }
    })
    return { method: 'POST', path: '/users.json', body: input, outcome }
  }

export const putUser =
  (number: number, input: UserInput): Plans =>
  (records, who) => {
    const id = records.users.pick(number)
    const outcome = forUsers(who, caller => {
      const user = records.users.get(id)
      if (caller.id !== id && !isAdmin(caller)) return FORBIDDEN
      if (!user) return MISSING
      return changeUser(records, caller, user, input)
    })
    return { method: 'PUT', path: `/users/${id}.json`, body: input, outcome }
  }

function changeUser(records: Records, caller: User, user: User, input: UserInput): Outcome {
  const role = input.role || user.role
  if (role !== user.role && !isAdmin(caller)) return FORBIDDEN
  const email = input.email === undefined ? user.email : normal(input.email)
  const other = records.user(email)
  if (other && other.id !== user.id) return faulty(['email'])
  if (role === 'user' && isLastAdmin(records, user)) return { status: 409 }
  const password = input.password ?? user.password
  if (email !== user.email || password !== user.password || input.password !== undefined)
    endResets(records, user.id)
  if (email === user.email && role === user.role && input.password === undefined)
    return { status: 200, body: shownUser(user) }
  const changed = records.users.change(user.id, { email, role, password, updatedAt: records.second })
  return { status: 200, body: shownUser(changed) }
}

/** Invalidates tokens that were sent before the password or address changed. */
function endResets(records: Records, id: number) {
  for (const token of records.tokens.all)
    if (token.purpose === 'reset' && token.holder === id)
      records.tokens.change(token.id, { until: Math.min(token.until, records.now) })
}

/** The jobs of a deleted account stay without an owner. */
export const deleteUser =
  (number: number): Plans =>
  (records, who) => {
    const id = records.users.pick(number)
    const outcome = forAdmins(who, () => {
      const user = records.users.get(id)
      if (!user) return MISSING
      if (isLastAdmin(records, user)) return { status: 409 }
      records.users.remove(id)
      for (const job of records.jobs.all) if (job.owner === id) records.jobs.change(job.id, { owner: null })
      for (const token of records.tokens.all)
        if (token.purpose === 'reset' && token.holder === id) records.tokens.change(token.id, { until: 0 })
      return { status: 200, says: user.email }
    })
    return { method: 'DELETE', path: `/users/${id}.json`, outcome }
  }

export const getUsers = (): Plans => (records, who) => ({
  method: 'GET',
  path: '/users.json',
  outcome: forAdmins(who, () => {
    const users = records.users.all.map(shownUser)
    return { status: 200, body: users, total: users.length }
  }),
})

export const getMe = (): Plans => (_, who) => ({
  method: 'GET',
  path: '/users/me.json',
  outcome: forUsers(who, user => ({ status: 200, body: shownUser(user) })),
})

export const getUser =
  (number: number): Plans =>
  (records, who) => {
    const id = records.users.pick(number)
    const outcome = forUsers(who, caller => {
      if (caller.id !== id && !isAdmin(caller)) return FORBIDDEN
      const user = records.users.get(id)
      return user ? { status: 200, body: shownUser(user) } : MISSING
    })
    return { method: 'GET', path: `/users/${id}.json`, outcome }
  }

/** Sets a new password with a token. `text` is the token. */
export const resetPassword =
  (id: number, text: string, password: string): Plans =>
  records => ({
    method: 'PUT',
    path: `/password-resets/${text}.json`,
    body: { password },
    outcome: () => {
      const token = records.tokens.get(id)
      if (token?.purpose !== 'reset' || token.until <= records.now) return MISSING
      records.users.change(token.holder, { password, updatedAt: records.second })
      endResets(records, token.holder)
      return { status: 200 }
    },
  })
