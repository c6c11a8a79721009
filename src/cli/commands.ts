import { backupCommand, restoreCommand } from './backup.ts'
import { backupsCommand } from './backups.ts'
import { checkCommand } from './check.ts'
import { exportCommand } from './export.ts'
import { healthCommand } from './health.ts'
import { importCommand } from './import.ts'
import { installCommand, uninstallCommand } from './install/command.ts'
import { licensesCommand } from './licenses.ts'
import { pagesCommand } from './pages.ts'
import type { Commands } from './run.ts'
import { serveCommand } from './serve.ts'
import { syncCommand } from './sync.ts'
import { userCommands } from './user.ts'

/** All commands, in the order of the help. */
export const COMMANDS: Commands = {
  defaultCommand: serveCommand,
  all: [
    serveCommand,
    ...userCommands,
    importCommand,
    syncCommand,
    exportCommand,
    backupCommand,
    restoreCommand,
    backupsCommand,
    checkCommand,
    healthCommand,
    pagesCommand,
    installCommand,
    uninstallCommand,
    licensesCommand,
  ],
}
