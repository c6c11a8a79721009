import { type OptionKey, optionOf } from './options.ts'

const words = (key: OptionKey) => key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** `baseUrl` → `base-url` */
export const flagOf = words

/** The flags of those options that have one. */
export const flagsOf = (keys: readonly OptionKey[]) =>
  keys.filter(key => !optionOf(key).isVariableOnly).map(flagOf)

export const VARIABLE_PREFIX = 'CORKBOARD_'

/** `baseUrl` → `CORKBOARD_BASE_URL` */
export const variableOf = (key: OptionKey) =>
  `${VARIABLE_PREFIX}${words(key).replaceAll('-', '_').toUpperCase()}`

/** The variable that names the file which holds a secret. */
export const fileVariableOf = (key: OptionKey) => `${variableOf(key)}_FILE`

/** How an option is called in a sentence. */
export const nameOf = (key: OptionKey) =>
  optionOf(key).isVariableOnly ? variableOf(key) : `--${flagOf(key)}`
