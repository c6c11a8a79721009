import { type Clock, systemClock } from '../base/clock.ts'
import { type Environment, processEnvironment } from '../config/environment.ts'

/** Takes text, and tells when it has. */
export interface Output {
  write(text: string, result?: () => void): unknown
  readonly isTTY?: boolean
}

/** What a command has to do with of the world around it. */
export interface Host {
  readonly variables: Environment
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  /** Has `listener` called whenever the process is asked to end (SIGTERM, SIGINT). */
  readonly onStop: (listener: () => void) => void
  /** Has `listener` told of whatever was thrown where nobody waited for it; without one it ends the process. */
  readonly onUnhandled: (listener: (error: unknown) => void) => void
  /** Ends the process at once, whatever is under way. */
  readonly exit: (status: number) => void
}

/** The process itself. */
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
    onUnhandled: listener => {
      process.on('unhandledRejection', listener)
    },
    exit: status => process.exit(status),
  }
}

/** Whoever read has gone, as in `| head`: what is under way goes on. Anything else, such as a full disk, is a failure. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') process.exitCode = 1
}
