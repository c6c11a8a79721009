import { describe, expect, test } from 'bun:test'
import { invalid, Problem } from '../../src/base/problem.ts'
import { command, CommandError } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { type Commands, run } from '../../src/cli/run.ts'
import { OPTION_KEYS } from '../../src/config/options.ts'
import { version } from '../../src/config/version.ts'
import { StoreError } from '../../src/store/storeError.ts'
import { TestHost } from '../helpers/host.ts'

/** The commands that ran, with their input. */
let calls: unknown[] = []

const serve = command({
  name: 'serve',
  activity: 'testing',
  summary: 'serves',
  args: [],
  flags: { sample: { help: 'adds a sample' } },
  options: OPTION_KEYS,
  run: async ({ config: { port }, flags, args }) => void calls.push(['serve', port, flags, args]),
})

const load = command({
  name: 'load',
  activity: 'testing',
  summary: 'loads a file',
  details: 'All or nothing.',
  args: ['FILE', '[NAME]'],
  flags: { plan: { value: 'NAME', help: 'the plan' }, 'keep-going': { help: 'goes on' } },
  options: ['data'],
  run: async ({ config: { data }, flags, args }) => void calls.push(['load', { data }, flags, args]),
})

const pairs = ['pair add', 'pair list'].map(name =>
  command({
    name,
    activity: 'testing',
    summary: name,
    args: [],
    flags: {},
    options: [],
    run: async () => void calls.push([name]),
  }),
)

const failing = command({
  name: 'fail',
  activity: 'testing',
  summary: 'fails',
  args: ['HOW'],
  flags: {},
  options: [],
  run: ({ args: [how] }) => Promise.reject(FAILURES[how]),
})

const FAILURES: Readonly<Record<string, unknown>> = {
  problem: new Problem('conflict', 'It is taken.'),
  faults: invalid({ email: ['is already the address of an account'], role: ['is required'] }),
  failure: new CommandError('There is no such file.'),
  store: new StoreError('The data is damaged.'),
  bug: new TypeError('x is not a function\n    at y (z.ts:1:1)'),
  text: 'thrown bare',
}

const TESTED: Commands = { defaultCommand: serve, all: [serve, load, ...pairs, failing] }

async function attempt(args: readonly string[], commands = TESTED) {
  calls = []
  const host = new TestHost()
  const status = await run(commands, args, host)
  return { status, out: host.out, err: host.err, calls }
}

describe('a command line', () => {
  test.each<[string[], unknown]>([
    [[], ['serve', 3000, { sample: false }, []]],
    [['serve'], ['serve', 3000, { sample: false }, []]],
    [['--sample'], ['serve', 3000, { sample: true }, []]],
    [
      ['--port', '7', '--sample'],
      ['serve', 7, { sample: true }, []],
    ],
    [
      ['serve', '--port=7'],
      ['serve', 7, { sample: false }, []],
    ],
    [
      ['load', 'a'],
      ['load', { data: './data' }, { plan: undefined, 'keep-going': false }, ['a']],
    ],
    [
      ['load', 'a', 'b', '--keep-going'],
      ['load', { data: './data' }, { plan: undefined, 'keep-going': true }, ['a', 'b']],
    ],
    [
      ['load', '--plan', 'P', 'a', '--data=d'],
      ['load', { data: 'd' }, { plan: 'P', 'keep-going': false }, ['a']],
    ],
    [
      ['load', '--', '--plan'],
      ['load', { data: './data' }, { plan: undefined, 'keep-going': false }, ['--plan']],
    ],
    [
      ['load', '-'],
      ['load', { data: './data' }, { plan: undefined, 'keep-going': false }, ['-']],
    ],
    [['pair', 'add'], ['pair add']],
    [['pair', 'list'], ['pair list']],
  ])('%j runs the right command', async (args, call) => {
    expect(await attempt(args)).toEqual({ status: 0, out: '', err: '', calls: [call] })
  })

  test.each([
    [['srve'], 'Unknown command "srve". Did you mean serve?'],
    [['hepl'], 'Unknown command "hepl". Did you mean help?'],
    [['constructor'], 'Unknown command "constructor".'],
    [['frobnicate'], 'Unknown command "frobnicate".'],
    [[''], 'Unknown command "".'],
    [['pair'], 'pair requires a subcommand: add, list.'],
    [['pair', '--data', 'x'], 'pair requires a subcommand: add, list.'],
    [['pair', 'lst'], 'Unknown command "pair lst". Did you mean pair list?'],
    [['help', 'pare'], 'Unknown command "pare".'],
    [['help', 'pair', 'ad'], 'Unknown command "pair ad". Did you mean pair add?'],
    [['serve', '--smaple'], 'Unknown option --smaple. Did you mean --sample?'],
    [['serve', '--sample=yes'], '--sample takes no value.'],
    [['serve', '--versoin'], 'Unknown option --versoin. Did you mean --version?'],
    [['load', 'a', '--plan'], '--plan requires a value.'],
    [['load', 'a', '--port', '7'], 'Unknown option --port.'],
    [['load', 'a', '-k'], 'Unknown option -k.'],
    [['load'], 'load takes FILE [NAME], but 0 arguments were given.'],
    [['load', 'a', 'b', 'hunter22'], 'load takes FILE [NAME], but 3 arguments were given.'],
    [['serve', 'hunter22'], 'serve takes no arguments, but 1 argument was given.'],
  ])('%j is a usage error', async (args, sentence) => {
    expect(await attempt(args)).toEqual({ status: 2, out: '', err: `${sentence}\n`, calls: [] })
  })

  test('gets a message for every error', async () => {
    const { status, err } = await attempt(['load', '--data=', '--paln', 'x', '--keep-going=1'])
    expect(status).toBe(2)
    expect(err.trimEnd().split('\n')).toEqual([
      '--keep-going takes no value.',
      'Unknown option --paln. Did you mean --plan?',
      '--data is empty: set a value or leave it out.',
    ])
  })

  test('is read with the variables, and an unknown variable stops every command', async () => {
    const host = new TestHost({
      variables: { CORKBOARD_DATA: 'there', CORKBOARD_PORT: 'wrong, but not for load' },
    })
    expect(await run(TESTED, ['load', 'a'], host)).toBe(0)
    expect(calls.at(-1)).toEqual(['load', { data: 'there' }, { plan: undefined, 'keep-going': false }, ['a']])
    const wrong = new TestHost({ variables: { CORKBOARD_DTA: 'there' } })
    expect(await run(TESTED, ['load', 'a'], wrong)).toBe(2)
    expect(wrong.err).toBe('Unknown variable CORKBOARD_DTA. Did you mean CORKBOARD_DATA?\n')
  })
})

describe('an error in a command', () => {
  test.each([
    ['problem', 'It is taken.'],
    ['faults', 'The email is already the address of an account.\nThe role is required.'],
    ['failure', 'There is no such file.'],
    ['store', 'The data is damaged.'],
    ['bug', 'Something went wrong while testing: x is not a function. Add --verbose to see where.'],
    ['text', 'Something went wrong while testing: thrown bare. Add --verbose to see where.'],
  ])('is a sentence without a stack, and exit status 1: %s', async (how, sentence) => {
    expect(await attempt(['fail', how])).toEqual({ status: 1, out: '', err: `${sentence}\n`, calls: [] })
  })

  test('is followed by the stack of an internal error with --verbose', async () => {
    const { status, err } = await attempt(['fail', 'bug', '--verbose'])
    const [sentence, ...stack] = err.split('\n')
    expect({ status, sentence }).toEqual({
      status: 1,
      sentence: 'Something went wrong while testing: x is not a function.',
    })
    expect(stack.join('\n')).toContain('run.test.ts:')
  })

  test('has no stack with --verbose if it is expected', async () => {
    expect((await attempt(['fail', 'failure', '--verbose'])).err).toBe('There is no such file.\n')
  })
})

describe('help', () => {
  test.each([[['--help']], [['-h']], [['help']], [['--port', '7', '--help']], [['--no-such', '-h']]])(
    'covers all commands for %j',
    async args => {
      const { status, out, err, calls: called } = await attempt(args)
      expect({ status, err, called }).toEqual({ status: 0, err: '', called: [] })
      expect(out).toStartWith(
        `Corkboard ${version}, a job board in one executable.\n\nUsage: corkboard [COMMAND] [OPTIONS]\n`,
      )
      expect(out).toMatch(/^  load FILE \[NAME\] +loads a file$/m)
      expect(out).toMatch(/^  --port PORT +the port to listen on; 0 picks a free one \(3000\)$/m)
    },
  )

  test.each([[['load', '--help']], [['load', '-h']], [['help', 'load']], [['load', '--port', '--help']]])(
    'covers one command for %j',
    async args => {
      const { status, out } = await attempt(args)
      expect(status).toBe(0)
      expect(out).toBe(`Usage: corkboard load FILE [NAME] [OPTIONS]

Loads a file.
All or nothing.

Options of load:
  --plan NAME                   the plan
  --keep-going                  goes on
  --verbose                     show where an internal error happened

Settings, also as variables (--data is CORKBOARD_DATA). Flags override variables:
  --data DIR                    the data directory (./data)
`)
    },
  )

  test.each([[['pair', '--help']], [['pair', '-h']], [['help', 'pair']]])(
    'covers a group of commands for %j',
    async args => {
      const { status, out } = await attempt(args)
      expect({ status, out }).toEqual({
        status: 0,
        out: 'Commands:\n  pair add                      pair add\n  pair list                     pair list\n',
      })
    },
  )

  test('fits a terminal', async () => {
    const { out } = await attempt(['help'], COMMANDS)
    expect(out.split('\n').filter(line => line.length > 110)).toEqual([])
  })

  test('lists exactly the existing commands', async () => {
    const { out } = await attempt(['help'], COMMANDS)
    const named = COMMANDS.all.map(({ name }) => name)
    expect(named).toEqual([
      'serve',
      'user add',
      'user list',
      'user password',
      'user role',
      'user remove',
      'import',
      'sync',
      'export',
      'backup',
      'restore',
      'backups',
      'check',
      'health',
      'pages',
      'install',
      'uninstall',
      'licenses',
    ])
    expect(named.filter(name => !out.includes(`\n  ${name} `))).toEqual([])
  })
})

test.each([[['--version']], [['serve', '--version']], [['load', '--version']]])(
  '%j prints the version',
  async args => {
    expect(await attempt(args)).toEqual({ status: 0, out: `corkboard ${version}\n`, err: '', calls: [] })
  },
)
