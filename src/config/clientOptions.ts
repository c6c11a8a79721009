import { OptionError } from './errors.ts'
import type { Option } from './optionType.ts'
import type { Parse } from './values.ts'

const ACCESS_TOKEN = /^cbt_[\w-]+$/

const accessToken: Parse<string> = text =>
  ACCESS_TOKEN.test(text)
    ? text
    : new OptionError('must be an access token of the board, which begins with cbt_')

/** The options of commands that send requests to a running board. */
export const CLIENT_OPTIONS = {
  token: {
    value: 'TEXT',
    help: 'the access token for --board',
    parse: accessToken,
    defaultHelp: 'none',
    isSecret: true,
    isVariableOnly: true,
  },
} satisfies Record<string, Option>
