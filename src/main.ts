import { COMMANDS } from './cli/commands.ts'
import { processHost } from './cli/host.ts'
import { run } from './cli/run.ts'
import { PAINTING } from './images/painter.ts'

const [, , ...args] = process.argv
// not for people, and so no command: see images/painter.ts
if (args[0] === PAINTING && process.send) await import('./images/painting.ts')
else {
  const status = await run(COMMANDS, args, processHost())
  // output that could not be written may have made it a failure already
  if (status !== 0) process.exitCode = status
}
