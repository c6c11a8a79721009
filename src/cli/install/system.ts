import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { inheritedVariables } from '../../config/environment.ts'
import { withFileErrors } from '../../store/storeError.ts'
import { CommandError } from '../command.ts'

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Exists while systemd runs the machine (sd_booted(3)). */
const BOOTED = '/run/systemd/system'

/** The files and the programs of a machine, or of its file system in a folder. */
export class System {
  /** @param root `/`, or the folder of another file system */
  constructor(readonly root: string) {}

  /** Whether the service can be started now. */
  get isRunning(): boolean {
    return this.root === '/' && existsSync(BOOTED)
  }

  get isRoot(): boolean {
    return process.getuid?.() === 0
  }

  has(path: string): boolean {
    return existsSync(this.at(path))
  }

  /** Returns the text of a file; undefined if it doesn't exist. */
  read(path: string): string | undefined {
    return this.has(path) ? withFileErrors(path, () => readFileSync(this.at(path), 'utf8')) : undefined
  }

  /** Writes a file, which replaces an older one in one step. Programs that use the older one keep it. */
  write(path: string, text: string, mode: number): void {
    this.replace(path, mode, unfinished => writeFileSync(unfinished, text, { mode }))
  }

  copy(from: string, path: string, mode: number): void {
    this.replace(path, mode, unfinished => copyFileSync(from, unfinished))
  }

  remove(path: string): void {
    withFileErrors(path, () => rmSync(this.at(path), { force: true }))
  }

  /** Runs a program and returns what it printed. @throws CommandError if it fails */
  run(command: readonly string[]): string {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
      env: { ...inheritedVariables(), PATH, LC_ALL: 'C.UTF-8' },
      stdin: 'ignore',
    })
    if (exitCode === 0) return stdout.toString()
    const reason = `${stderr}${stdout}`.trim().split('\n').slice(0, 20).join('\n')
    throw new CommandError(`"${command.join(' ')}" failed${reason === '' ? '' : `:\n${reason}`}`)
  }

  private replace(path: string, mode: number, write: (unfinished: string) => void) {
    const target = this.at(path)
    withFileErrors(path, () => {
      mkdirSync(dirname(target), { recursive: true })
      const unfinished = `${target}.new`
      rmSync(unfinished, { force: true })
      write(unfinished)
      chmodSync(unfinished, mode)
      renameSync(unfinished, target)
    })
  }

  private at(path: string): string {
    return join(this.root, path)
  }
}
