import { backupCommand, restoreCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { exportBoard } from './export.ts'
import { importJobs } from './import.ts'
import type { Commands } from './run.ts'
import { serve } from './serve.ts'
import { userCommands } from './user.ts'

/** The commands, in the order of the help. */
export const COMMANDS: Commands = {
  main: serve,
  all: [serve, ...userCommands, importJobs, exportBoard, backupCommand, restoreCommand, checkCommand],
}
