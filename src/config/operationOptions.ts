import { bearerToken } from './operationValues.ts'
import type { DefaultContext, Option } from './optionType.ts'
import * as values from './values.ts'

/** The options for those who run the board: backups, HTTPS, monitoring and the log. */
export const OPERATION_OPTIONS = {
  backupDir: {
    value: 'DIR',
    help: 'the folder for daily backups of this board only',
    parse: values.nonBlank('a directory'),
    defaultHelp: 'none',
  },
  backupKeep: { value: 'N', help: 'how many daily backups to keep', parse: values.backupCount, default: '7' },
  backupAt: {
    value: 'HH:MM',
    help: 'the time of the daily backup, in UTC',
    parse: values.timeOfDay,
    default: '03:00',
  },
  journalDays: { value: 'N', help: 'days to keep changes', parse: values.journalDays, default: '90' },
  metricsToken: {
    value: 'TEXT',
    help: 'the token with which other machines may read /metrics',
    parse: bearerToken,
    defaultHelp: 'this machine only',
    isSecret: true,
  },
  log: {
    value: 'pretty|json',
    help: 'the format of the log on standard error',
    parse: values.oneOf('pretty', 'json'),
    default: ({ isTerminal }: DefaultContext) => (isTerminal ? 'pretty' : 'json'),
    defaultHelp: 'pretty on a terminal, else json',
  },
  logLevel: {
    value: 'LEVEL',
    help: 'the lowest level to log: debug, info, warn or error',
    parse: values.oneOf('debug', 'info', 'warn', 'error'),
    default: 'info',
  },
} satisfies Record<string, Option>
