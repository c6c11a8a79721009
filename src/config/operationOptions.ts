import { backupKey, bearerToken, s3Endpoint, s3Key, s3Location } from './operationValues.ts'
import type { DefaultContext, Option } from './optionType.ts'
import * as values from './values.ts'

/** The options of the server for uploaded backups. */
const S3_OPTIONS = {
  s3Endpoint: {
    value: 'URL',
    help: 'the S3 server of uploaded backups',
    parse: s3Endpoint,
    default: 'https://s3.amazonaws.com',
  },
  s3KeyFile: {
    value: 'FILE',
    help: 'the id of a key for it, and on the next line its secret',
    parse: s3Key,
    isPath: true,
  },
  backupKeyFile: {
    value: 'FILE',
    help: 'the key that encrypts uploaded backups: 64 hexadecimal digits',
    parse: backupKey,
    defaultHelp: 'not encrypted',
    isPath: true,
  },
} satisfies Record<string, Option>

/** The options for those who run the board: backups, HTTPS, monitoring and the log. */
export const OPERATION_OPTIONS = {
  backupDir: {
    value: 'DIR',
    help: 'the folder for daily backups of this board only',
    parse: values.nonBlank('a directory'),
    defaultHelp: 'none',
    isPath: true,
  },
  backupKeep: { value: 'N', help: 'how many daily backups to keep', parse: values.backupCount, default: '7' },
  backupAt: {
    value: 'HH:MM',
    help: 'the time of the daily backup, in UTC',
    parse: values.timeOfDay,
    default: '03:00',
  },
  backupS3: {
    value: 's3://BUCKET/PREFIX',
    help: 'where daily backups of this board only are uploaded to',
    parse: s3Location,
    defaultHelp: 'nowhere',
  },
  ...S3_OPTIONS,
  journalDays: { value: 'N', help: 'days to keep changes', parse: values.journalDays, default: '90' },
  webhookPrivate: {
    value: 'on|off',
    help: 'whether webhooks may call this machine, its network, and plain http',
    parse: values.oneOf('on', 'off'),
    default: 'off',
  },
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
