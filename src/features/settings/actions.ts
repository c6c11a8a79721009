import { writeAs } from '../../accounts/writeAs.ts'
import type { Caller } from '../../base/caller.ts'
import type { Board } from '../../board.ts'
import { OptionError } from '../../config/errors.ts'
import { optionOf } from '../../config/options.ts'
import { type BoardConfig, NO_SETTINGS, SETTING_KEYS } from '../../config/settings.ts'
import { SETTINGS_ID } from '../../store/liveConfig.ts'
import type { Validation } from '../../validation/validation.ts'
import { validateLogo, withStoredLogo } from '../logos/rules.ts'
import { presentSettings } from './present.ts'
import type { Settings, SettingsPatch } from './schema.ts'

/** Changes the settings that were sent, and returns all. They apply at once. @throws Problem 'invalid' */
export async function updateSettings(
  board: Board,
  caller: Caller,
  input: Validation<SettingsPatch>,
): Promise<Settings> {
  const { store, images, config, links } = board
  validateSettings(config, input)
  const change = await validateLogo(images.logoEncoder, input)
  const patch = input.valueOrThrow()
  await withStoredLogo(images.logos, change, name =>
    writeAs(store, caller, tables => {
      const row = tables.settings.get(SETTINGS_ID) ?? { ...NO_SETTINGS, id: SETTINGS_ID }
      tables.settings.put({ ...row, ...patch, ...(name !== undefined && { logo: name }) })
    }),
  )
  return presentSettings(board.config, links)
}

/** Validates settings by the rules of their options. An option that was given at the start can't be changed. */
function validateSettings(config: BoardConfig, input: Validation<SettingsPatch>): void {
  for (const key of SETTING_KEYS) {
    const value = input.value(key)
    if (value === undefined) continue
    const fixedBy = config.given.get(key)
    const parsed = value === null ? undefined : optionOf(key).parse(value)
    if (fixedBy !== undefined && (value ?? undefined) !== config[key])
      input.addError(key, `is set by ${fixedBy}, which the board was started with`)
    else if (parsed instanceof OptionError) input.addError(key, parsed.sentence)
    else if (parsed !== undefined) Object.assign(input.values, { [key]: parsed })
  }
  if (input.value('registration') === 'open' && config.smtpUrl === undefined)
    input.addError(
      'registration',
      "can't be open without a mail server (--smtp-url), which confirms addresses",
    )
}
