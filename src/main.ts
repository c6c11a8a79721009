import { COMMANDS } from './cli/commands.ts'
import { processHost } from './cli/host.ts'
import { run } from './cli/run.ts'
import { CARD_WORKER_COMMAND } from './images/cardRenderer.ts'

const [, , ...args] = process.argv
// not for people, and so no command: see images/cardRenderer.ts
if (args[0] === CARD_WORKER_COMMAND && process.send) await import('./images/cardWorker.ts')
else {
  const status = await run(COMMANDS, args, processHost())
  // output that could not be written may have made it a failure already
  if (status !== 0) process.exitCode = status
}
