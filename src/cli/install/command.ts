import { isAbsolute, resolve } from 'node:path'
import { type Clock, SECOND } from '../../base/clock.ts'
import { UsageError } from '../../config/errors.ts'
import { nameOf } from '../../config/names.ts'
import { type GivenTexts, optionOf, SERVER_KEYS } from '../../config/options.ts'
import { isBuilt } from '../../config/version.ts'
import { command, CommandError } from '../command.ts'
import type { Output } from '../host.ts'
import { DATA, SERVICE, SETTINGS, UNIT } from './paths.ts'
import { settingsErrors, settingsText, valueIn } from './settingsFile.ts'
import { installSteps, nextSteps, remains, type Step, uninstallSteps } from './steps.ts'
import { System } from './system.ts'
import { unitText } from './unit.ts'

const FLAGS = {
  print: { help: 'only show what would be done, as a unit with comments' },
  root: {
    value: 'DIR',
    help: "the folder of another file system, such as a machine's image; nothing is started",
  },
}
/** Folders that the service can't see, or sees its own instead of. */
const HIDDEN_FOLDER = /^\/(home|root|run\/user|tmp|var\/tmp)(\/|$)/
/** The options whose folders the service writes to. */
const WRITTEN = ['data', 'backupDir'] as const

export const installCommand = command({
  name: 'install',
  activity: 'installing the service',
  summary: 'install the board as a systemd service, or upgrade it',
  details: `As root: copies the executable, creates the user and the data directory, and starts a hardened service that may use the ports 80 and
443. The options of serve become those of the service. If it is installed already, this replaces the executable and the given
options, keeps the others, and restarts it.`,
  args: [],
  flags: FLAGS,
  options: SERVER_KEYS,
  run: async ({ flags: { print, root = '/' }, config, clock, stdout }) => {
    const system = new System(resolve(root))
    if (!print) requirePossible(system)
    const options = absolutePaths(config.texts)
    const isUpgrade = system.has(UNIT)
    // Only root can read existing settings.
    const settings = settingsText(system.isRoot ? system.read(SETTINGS) : undefined, options)
    // Another file system has files of its own.
    const errors = system.root === '/' ? settingsErrors(settings) : []
    if (errors.length > 0) throw new UsageError(errors.map(error => `In ${SETTINGS}: ${error}`))
    const folders = WRITTEN.flatMap(key => valueIn(settings, key) ?? []).filter(path => path !== DATA)
    const program = process.execPath
    const steps = installSteps(system, { program, unit: unitText(folders), settings, folders })
    if (print) return show(steps, stdout)
    runSteps(system, steps, clock)
    if (system.root !== '/') stdout.write(`Installed the service in ${root}. It starts with that machine.\n`)
    else
      stdout.write(
        isUpgrade ? `Upgraded the service "${SERVICE}".\n` : nextSteps(valueIn(settings, 'data') ?? DATA),
      )
  },
})

export const uninstallCommand = command({
  name: 'uninstall',
  activity: 'removing the service',
  summary: 'remove the systemd service; data and options stay',
  args: [],
  flags: FLAGS,
  options: [],
  run: async ({ flags: { print, root = '/' }, clock, stdout }) => {
    const system = new System(resolve(root))
    const steps = uninstallSteps(system)
    if (print) return show(steps, stdout)
    requireRoot(system, 'uninstall')
    if (!system.has(UNIT)) throw new CommandError(`The service is not installed: ${UNIT} doesn't exist.`)
    runSteps(system, steps, clock)
    const data = valueIn(system.read(SETTINGS) ?? '', 'data') ?? DATA
    stdout.write(`Removed the service "${SERVICE}". ${remains(data)}`)
  },
})

function requirePossible(system: System) {
  if (process.platform !== 'linux')
    throw new CommandError('Only Linux has systemd. Use the service manager of this system.')
  if (!isBuilt)
    throw new CommandError(
      'Only the executable can be installed: run npm run build, then dist/corkboard install.',
    )
  requireRoot(system, 'install')
  if (system.root === '/' && !system.isRunning)
    throw new CommandError(
      "systemd doesn't run on this machine. Use its own service manager to run corkboard serve, or --root for a machine's image.",
    )
}

function requireRoot(system: System, name: string) {
  if (!system.isRoot) throw new CommandError(`corkboard ${name} must be run as root, for example with sudo.`)
}

/** Returns the options with absolute paths. @throws UsageError if the service couldn't reach one */
function absolutePaths(texts: GivenTexts): GivenTexts {
  const errors: string[] = []
  const absolute = [...texts].map(([key, text]) => {
    if (optionOf(key).isPath !== true) return [key, text] as const
    const path = isAbsolute(text) ? text : resolve(text)
    if (HIDDEN_FOLDER.test(path))
      errors.push(
        `${nameOf(key)} is in a folder that the service can't see: use one such as /etc/${SERVICE} or /srv instead (given: "${path}").`,
      )
    return [key, path] as const
  })
  if (errors.length > 0) throw new UsageError(errors)
  return new Map(absolute)
}

/** Shows the steps as comments, and the unit as it is, so that the output is a valid unit. */
function show(steps: readonly Step[], stdout: Output) {
  for (const { shown, text } of steps) {
    stdout.write(`# ${shown}\n`)
    if (text === undefined) continue
    stdout.write(shown.includes(UNIT) ? text : `${text.trimEnd().replaceAll(/^/gm, '#     ')}\n`)
  }
}

/** Runs the steps. If the service doesn't start, the error has what it has logged since then. */
function runSteps(system: System, steps: readonly Step[], clock: Clock) {
  for (const { shown, run } of steps) {
    const since = Math.floor(clock() / SECOND)
    try {
      run()
    } catch (error) {
      if (!shown.includes('restart') || !(error instanceof CommandError)) throw error
      const journal = ['journalctl', '-u', SERVICE, `--since=@${since}`, '-o', 'cat', '--no-pager', '-q']
      const logged = system.run(journal).trim()
      throw new CommandError(
        `The service is installed, but doesn't start:\n${logged === '' ? error.message : logged}`,
      )
    }
  }
}
