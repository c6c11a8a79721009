import { hashPassword } from '../accounts/passwords.ts'
import { addUser, changeUser, findUser, removeUser } from '../accounts/users.ts'
import { type Role, ROLES } from '../base/caller.ts'
import { timestamp } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { OptionError, UsageError } from '../config/errors.ts'
import * as values from '../config/values.ts'
import type { UserRow } from '../store/rows.ts'
import { Store } from '../store/store.ts'
import { command } from './command.ts'
import { PASSWORD_FLAG, PASSWORD_STDIN, readNewPassword } from './password.ts'

const SAFE_WHILE_RUNNING = 'Works beside a running server, which follows at once.'

const add = command({
  name: 'user add',
  summary: 'makes an account',
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL'],
  flags: { admin: { help: 'makes an administrator' }, ...PASSWORD_FLAG },
  options: ['data'],
  run: async ({ args: [given], flags, config, clock, ...host }) => {
    const email = readArgument('EMAIL', given, values.accountEmail)
    await withStore(config.data, async store => {
      if (findUser(store.read, email))
        throw new Problem('conflict', `There is an account for ${email} already.`)
      const password = await readNewPassword(host, flags[PASSWORD_STDIN])
      const role = flags.admin ? 'admin' : 'user'
      await addUser(store, clock, { email, role, passwordHash: await hashPassword(password) })
      host.stdout.write(`${email} has an account now (${role}).\n`)
    })
  },
})

const list = command({
  name: 'user list',
  summary: 'lists the accounts: id, e-mail, role, when it was made',
  details: SAFE_WHILE_RUNNING,
  args: [],
  flags: {},
  options: ['data'],
  run: ({ config, stdout }) =>
    withStore(config.data, store => {
      for (const { id, email, role, createdAt } of store.read.users.all())
        stdout.write(`${id}\t${email}\t${role}\t${timestamp(createdAt)}\n`)
    }),
})

const changePassword = command({
  name: 'user password',
  summary: 'gives an account a new password',
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL'],
  flags: PASSWORD_FLAG,
  options: ['data'],
  run: ({ args: [email], flags, config, clock, ...host }) =>
    withStore(config.data, async store => {
      const user = requireUser(store, email)
      const chosen = await readNewPassword(host, flags[PASSWORD_STDIN])
      await changeUser(store, clock, user.id, { passwordHash: await hashPassword(chosen) })
      host.stdout.write(`${user.email} has a new password.\n`)
    }),
})

const changeRole = command({
  name: 'user role',
  summary: `gives an account another role: ${ROLES.join(' or ')}`,
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL', 'ROLE'],
  flags: {},
  options: ['data'],
  run: async ({ args: [email, given], config, clock, stdout }) => {
    const wanted: Role = readArgument('ROLE', given, values.oneOf(...ROLES))
    await withStore(config.data, async store => {
      const user = requireUser(store, email)
      await changeUser(store, clock, user.id, { role: wanted })
      stdout.write(`${user.email} has the role ${wanted} now.\n`)
    })
  },
})

const remove = command({
  name: 'user remove',
  summary: 'removes an account; its jobs stay, with no owner',
  details: SAFE_WHILE_RUNNING,
  args: ['EMAIL'],
  flags: {},
  options: ['data'],
  run: ({ args: [email], config, stdout }) =>
    withStore(config.data, async store => {
      const user = await removeUser(store, requireUser(store, email).id)
      stdout.write(`${user.email} has no account any more.\n`)
    }),
})

export const userCommands = [add, list, changePassword, changeRole, remove]

/** Opens a data directory beside the server that may have it open, and closes it before it ends. */
async function withStore(folder: string, work: (store: Store) => void | Promise<void>): Promise<void> {
  const store = await Store.open(folder, { shared: true })
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
