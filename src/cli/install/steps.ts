import { basename } from 'node:path'
import { DATA, EXECUTABLE, SERVICE, SETTINGS, STATE, UNIT, USER_FILE } from './paths.ts'
import { withoutSecrets } from './settingsFile.ts'
import type { System } from './system.ts'

/** A step of an installation: what `--print` shows, and what it does. */
export interface Step {
  /** A command for a shell that does the same, or nearly so. */
  readonly shown: string
  /** The text of the file that it writes, without secrets. */
  readonly text?: string
  readonly run: () => void
}

const PROGRAM = 0o755
const PUBLIC_FILE = 0o644
/** The settings may contain passwords. */
const SECRET_FILE = 0o600

const USER_TEXT = `u ${SERVICE} - "Corkboard" ${STATE}\n`

interface Installation {
  /** The executable to copy. */
  readonly program: string
  readonly unit: string
  readonly settings: string
  /** The folders to create, which belong to the service. */
  readonly folders: readonly string[]
}

const fileStep = (system: System, path: string, text: string, mode: number, shownText = text): Step => ({
  shown: `write ${path} (mode ${mode.toString(8)})`,
  text: shownText,
  run: () => system.write(path, text, mode),
})

const commandStep = (system: System, ...command: string[]): Step => ({
  shown: command.join(' '),
  run: () => void system.run(command),
})

/** Creates a folder that belongs to the service. One that exists may belong to somebody else, and isn't touched. */
const folderStep = (system: System, folder: string) =>
  commandStep(system, 'install', '-d', '-m', '700', '-o', SERVICE, '-g', SERVICE, folder)

/** Returns the steps that install or upgrade the service, in order. */
export function installSteps(system: System, { program, unit, settings, folders }: Installation): Step[] {
  const isOther = system.root !== '/'
  const inRoot = isOther ? [`--root=${system.root}`] : []
  return [
    {
      shown: `copy ${program} to ${EXECUTABLE} (mode ${PROGRAM.toString(8)})`,
      run: () => program !== EXECUTABLE && system.copy(program, EXECUTABLE, PROGRAM),
    },
    fileStep(system, USER_FILE, USER_TEXT, PUBLIC_FILE),
    fileStep(system, SETTINGS, settings, SECRET_FILE, withoutSecrets(settings)),
    fileStep(system, UNIT, unit, PUBLIC_FILE),
    commandStep(system, 'systemd-sysusers', ...inRoot, basename(USER_FILE)),
    ...(isOther
      ? []
      : folders.filter(folder => !system.has(folder)).map(folder => folderStep(system, folder))),
    ...(isOther ? [] : [commandStep(system, 'systemctl', 'daemon-reload')]),
    commandStep(system, 'systemctl', ...inRoot, 'enable', SERVICE),
    ...(isOther ? [] : [commandStep(system, 'systemctl', 'restart', SERVICE)]),
  ]
}

/** Returns the steps that remove the service. The data, the settings and the user stay. */
export function uninstallSteps(system: System): Step[] {
  const isOther = system.root !== '/'
  const files = [UNIT, USER_FILE, EXECUTABLE].map(path => ({
    shown: `remove ${path}`,
    run: () => system.remove(path),
  }))
  return [
    isOther
      ? commandStep(system, 'systemctl', `--root=${system.root}`, 'disable', SERVICE)
      : commandStep(system, 'systemctl', 'disable', '--now', SERVICE),
    ...files,
    ...(isOther ? [] : [commandStep(system, 'systemctl', 'daemon-reload')]),
  ]
}

/** Returns what remains after `uninstall`, and how to remove it. @param data the data directory */
export const remains = (data: string) => {
  const folders = data === DATA ? STATE : `${data} ${STATE}`
  return `The data is still in ${data === DATA ? STATE : data}, the options in ${SETTINGS}. To delete them too:
  rm -r ${folders} /etc/${SERVICE} && userdel ${SERVICE}
`
}

/** Returns what to do after an installation. @param data the data directory */
export const nextSteps = (
  data: string,
) => `Corkboard runs as the service "${SERVICE}". If its data is new, the password of the administrator is in its log:
  journalctl -u ${SERVICE} -o cat | grep -A3 administrator
Its options are in ${SETTINGS}, its data is in ${data}. Commands use it as its user:
  sudo -u ${SERVICE} ${SERVICE} user list --data ${data}
`
