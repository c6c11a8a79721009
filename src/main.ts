import { COMMANDS } from './cli/commands.ts'
import { processHost } from './cli/host.ts'
import { run } from './cli/run.ts'
import { CARD_WORKER_COMMAND } from './images/cardRenderer.ts'

const [, , ...args] = process.argv
// For images/cardRenderer.ts only, so it isn't a command.
if (args[0] === CARD_WORKER_COMMAND && process.send) await import('./images/cardWorker.ts')
else {
  const status = await run(COMMANDS, args, processHost())
  // A failed write to an output may have set the exit code already.
  if (status !== 0) process.exitCode = status
}
