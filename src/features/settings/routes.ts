import { Elysia } from 'elysia'
import type { Board } from '../../board.ts'
import { route } from '../../http/route.ts'
import { itemResponse } from '../../http/routeDescription.ts'
import { LOGO_FIELD } from '../logos/rules.ts'
import { updateSettings } from './actions.ts'
import { presentSettings } from './present.ts'
import { Settings, SettingsPatch } from './schema.ts'

const rules = { access: 'admin', tag: 'Board' } as const

export const settingsRoutes = (board: Board) =>
  new Elysia({ name: 'settings' })
    .get(
      '/settings.json',
      ...route(
        {
          ...rules,
          id: 'getSettings',
          summary: 'Read the settings',
          responses: { 200: itemResponse(Settings, 'The settings, as they are now.') },
        },
        () => presentSettings(board.config, board.links),
      ),
    )
    .put(
      '/settings.json',
      ...route(
        {
          ...rules,
          id: 'updateSettings',
          summary: 'Change the settings',
          description:
            'They apply at once. Fields that are not sent keep their values; null or empty text returns to the default. A setting that an option fixes can only be sent back unchanged.',
          body: SettingsPatch,
          isPatch: true,
          file: LOGO_FIELD,
          responses: { 200: itemResponse(Settings, 'The settings, as they are now.') },
        },
        ({ caller, input }) => updateSettings(board, caller, input),
      ),
    )
