import { hashPassword } from '../accounts/passwords.ts'
import { addUser, changeUser, findUser, removeUser } from '../accounts/users.ts'
import { type Role, ROLES } from '../base/caller.ts'
import { type Clock, timestamp } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { OptionError, UsageError } from '../config/errors.ts'
import * as values from '../config/values.ts'
import { CLI } from '../store/journal/journalRow.ts'
import type { UserRow } from '../store/rows.ts'
import { Store } from '../store/store.ts'
import { command } from './command.ts'
import { PASSWORD_FLAG, PASSWORD_STDIN, readNewPassword } from './password.ts'

const SAFE_WHILE_RUNNING = 'Safe on a running server, where changes apply at once.'

const add = command({
  name: 'user add',
  activity: 'creating the account',
  summary: 'create an account',
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL'],
  flags: { admin: { help: 'create an administrator' }, ...PASSWORD_FLAG },
  options: ['data'],
  run: async ({ args: [given], flags, config, clock, ...host }) => {
    const email = readArgument('EMAIL', given, values.accountEmail)
    await withStore(config.data, clock, async store => {
      if (findUser(store.read, email))
        throw new Problem('conflict', `An account for ${email} already exists.`)
      const password = await readNewPassword(host, flags[PASSWORD_STDIN])
      const role = flags.admin ? 'admin' : 'user'
      const passwordHash = await hashPassword(password)
      await store.write(tables => addUser(tables, clock, { email, role, passwordHash }))
      host.stdout.write(`Created the account ${email} (${role}).\n`)
    })
  },
})

const list = command({
  name: 'user list',
  activity: 'listing the accounts',
  summary: 'list the accounts: id, e-mail, role, creation time',
  details: SAFE_WHILE_RUNNING,
  args: [],
  flags: {},
  options: ['data'],
  run: ({ config, clock, stdout }) =>
    withStore(config.data, clock, store => {
      for (const { id, email, role, createdAt } of store.read.users.all())
        stdout.write(`${id}\t${email}\t${role}\t${timestamp(createdAt)}\n`)
    }),
})

const changePassword = command({
  name: 'user password',
  activity: 'changing the password',
  summary: 'change the password of an account',
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL'],
  flags: PASSWORD_FLAG,
  options: ['data'],
  run: ({ args: [email], flags, config, clock, ...host }) =>
    withStore(config.data, clock, async store => {
      const user = requireUser(store, email)
      const passwordHash = await hashPassword(await readNewPassword(host, flags[PASSWORD_STDIN]))
      await store.write(tables => changeUser(tables, clock, user.id, { passwordHash }))
      host.stdout.write(`Changed the password of ${user.email}.\n`)
    }),
})

const changeRole = command({
  name: 'user role',
  activity: 'changing the role',
  summary: `change the role of an account: ${ROLES.join(' or ')}`,
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL', 'ROLE'],
  flags: {},
  options: ['data'],
  run: async ({ args: [email, given], config, clock, stdout }) => {
    const role: Role = readArgument('ROLE', given, values.oneOf(...ROLES))
    await withStore(config.data, clock, async store => {
      const user = requireUser(store, email)
      await store.write(tables => changeUser(tables, clock, user.id, { role }))
      stdout.write(`Changed the role of ${user.email} to ${role}.\n`)
    })
  },
})

const remove = command({
  name: 'user remove',
  activity: 'deleting the account',
  summary: 'delete an account; its jobs stay, without an owner',
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL'],
  flags: {},
  options: ['data'],
  run: ({ args: [email], config, clock, stdout }) =>
    withStore(config.data, clock, async store => {
      const { id } = requireUser(store, email)
      const user = await store.write(tables => removeUser(tables, id))
      stdout.write(`Deleted the account ${user.email}.\n`)
    }),
})

export const userCommands = [add, list, changePassword, changeRole, remove]

/** Runs work on a data directory that a server may have open. */
async function withStore(
  folder: string,
  clock: Clock,
  work: (store: Store) => void | Promise<void>,
): Promise<void> {
  const store = await Store.open(folder, { shared: true, clock, actor: CLI })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

function readArgument<T>(name: string, text: string, parse: values.Parse<T>): T {
  const value = parse(text)
  if (value instanceof OptionError) throw new UsageError([`${name} ${value.sentence}.`])
  return value
}

function requireUser(store: Store, email: string): UserRow {
  const user = findUser(store.read, email.trim().toLowerCase())
  if (!user) throw new Problem('notFound', `There is no account for ${email}.`)
  return user
}
