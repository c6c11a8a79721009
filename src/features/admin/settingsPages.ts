import { Elysia } from 'elysia'
import { seeOther } from '../../http/response/reply.ts'
import { formAt } from '../../http/route.ts'
import { validatePatch } from '../../validation/validation.ts'
import { type FieldDefinition, selectField } from '../desk/field.ts'
import { LOGO_FIELD } from '../logos/rules.ts'
import { updateSettings } from '../settings/actions.ts'
import { presentSettings } from '../settings/present.ts'
import { SettingsPatch } from '../settings/schema.ts'
import type { Admin } from './admin.ts'
import { formView } from './formView.ts'
import { withNotice } from './notices.ts'

const PATH = '/admin/settings'
const { properties } = SettingsPatch

const DEFAULT = { '': 'Default' }

const FIELDS: readonly FieldDefinition[] = [
  { name: 'name', label: 'Name of the board', schema: properties.name },
  { name: 'tagline', label: 'Tagline', schema: properties.tagline, hint: 'A short line below the name.' },
  {
    name: 'accent',
    label: 'Colour',
    schema: properties.accent,
    hint: 'Of links and buttons, such as #0d6b5e. Empty for the default.',
  },
  {
    name: 'logo',
    label: 'Logo',
    type: 'file',
    hint: 'PNG, JPEG, WebP or GIF, at most 5 MB. It is also the icon. Without a file, the logo stays.',
  },
  selectField(
    'registration',
    'Who can create an account',
    { ...DEFAULT, closed: 'Only administrators create accounts', open: 'Everybody' },
    { hint: 'Open registration requires a mail server.' },
  ),
  selectField('approve', 'Which jobs need approval', {
    ...DEFAULT,
    none: 'None',
    paid: 'Jobs on plans with a price',
    all: 'All',
  }),
  selectField('digest', 'Job alerts', { ...DEFAULT, off: 'Off', daily: 'Daily', weekly: 'Weekly' }),
  { name: 'guidelines', label: 'Guidelines for employers', type: 'textarea', schema: properties.guidelines },
  { name: 'imprint', label: 'Imprint', type: 'textarea', schema: properties.imprint },
  { name: 'privacy', label: 'Privacy', type: 'textarea', schema: properties.privacy },
  { name: 'terms', label: 'Terms of use', type: 'textarea', schema: properties.terms },
]

/** Creates the page of the settings. A setting that an option fixes is shown, but not a field. */
export function settingsPages(admin: Admin) {
  const { board } = admin
  const isFixed = ({ name }: FieldDefinition) => board.config.given.has(name as 'name')
  const form = admin.form({
    template: 'adminForm',
    title: 'Settings',
    file: LOGO_FIELD,
    fields: () => FIELDS.filter(field => !isFixed(field)).map(field => ({ ...field, isOptional: true })),
    initial: () => new Map<string, unknown>(Object.entries(presentSettings(board.config, board.links))),
    view: () =>
      formView({
        texts: FIELDS.filter(isFixed).map(({ name, label }) => {
          const { fixed, ...settings } = presentSettings(board.config, board.links)
          return `${label}: ${settings[name as 'name']}. Set by ${fixed[name]}, with which the board was started.`
        }),
        button: 'Save',
        has_file: true,
        cancel_path: '/admin',
      }),
    submit: async ({ caller }, fields) => {
      const values = new Map(fields.values)
      // A form without a file sends an empty one, which must not remove the logo.
      if (values.get('logo') === '') values.delete('logo')
      await updateSettings(board, caller, validatePatch(SettingsPatch, { ...fields, values }))
      return seeOther(withNotice(PATH, 'saved'))
    },
  })
  return new Elysia({ name: 'administration of settings' }).use(formAt(PATH, form))
}
