import { type Clock, systemClock } from '../base/clock.ts'
import { type Environment, processEnvironment } from '../config/environment.ts'
import { type ServiceManager, serviceManagerOf } from './serviceManager.ts'

/** A stream to write text to. */
export interface Output {
  write(text: string, result?: () => void): unknown
  readonly isTTY?: boolean
}

/** The process around a command, which tests replace. */
export interface Host {
  readonly variables: Environment
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  /** Calls `listener` at every request to stop (SIGTERM, SIGINT). */
  readonly onStop: (listener: () => void) => void
  /** Calls `listener` at every request to read files again that may have changed (SIGHUP). */
  readonly onReload: (listener: () => void) => void
  /** Passes unhandled rejections to `listener`. Without one, they end the process. */
  readonly onUnhandled: (listener: (error: unknown) => void) => void
  readonly serviceManager: ServiceManager
  /** Ends the process at once. */
  readonly exit: (status: number) => void
}

/** Returns the real process. */
export function processHost(): Host {
  const { stdin, stdout, stderr } = process
  for (const output of [stdout, stderr]) output.on('error', ignoreBrokenPipe)
  return {
    variables: processEnvironment(),
    stdin,
    stdout,
    stderr,
    clock: systemClock,
    onStop: listener => {
      process.on('SIGTERM', listener)
      process.on('SIGINT', listener)
    },
    onReload: listener => {
      process.on('SIGHUP', listener)
    },
    onUnhandled: listener => {
      process.on('unhandledRejection', listener)
    },
    serviceManager: serviceManagerOf(processEnvironment()),
    exit: status => process.exit(status),
  }
}

/** Ignores that nobody reads the output any more, as with `| head`. Other errors, such as a full disk, are failures. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') process.exitCode = 1
}
