import { COMMANDS } from './cli/commands.ts'
import { processHost } from './cli/host.ts'
import { run } from './cli/run.ts'

const [, , ...args] = process.argv
const status = await run(COMMANDS, args, processHost())
// output that could not be written may have made it a failure already
if (status !== 0) process.exitCode = status
