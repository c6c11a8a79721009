import type { TSchema } from '@sinclair/typebox'
import type { FieldErrors } from '../../base/problem.ts'
import type { Fields } from '../../validation/validation.ts'
import type { KeptLogo } from './jobInput.ts'
import { textOf } from './text.ts'

/** A choice of a select field. */
export interface Option {
  readonly value: string | number
  readonly name: string
}

/** A field of a form, as it is declared. Its rules are those of the API's schema. */
export interface FieldDefinition {
  readonly name: string
  readonly label: string
  /** The API's field, for the length of the text. */
  readonly schema?: TSchema
  readonly type?:
    'text' | 'email' | 'password' | 'url' | 'number' | 'textarea' | 'select' | 'checks' | 'file' | 'date'
  readonly hint?: string
  readonly placeholder?: string
  readonly autocomplete?: string
  /** Whether it may be left out: always, or depending on another field. */
  readonly isOptional?: boolean | 'sometimes'
  /** Whether it takes the whole width of a form with two columns. */
  readonly isWide?: boolean
  readonly options?: readonly Option[]
  /** The types of file to choose from, unless they are images. */
  readonly accept?: string
}

/** Creates a field with a list of choices. @param names the names of the values. Values that are numbers would come first */
export const selectField = (
  name: string,
  label: string,
  names: Readonly<Record<string, string>>,
  rest: Partial<FieldDefinition> = {},
): FieldDefinition => ({
  name,
  label,
  type: 'select',
  options: Object.entries(names).map(([value, text]) => ({ value, name: text })),
  ...rest,
})

/** What a form contains: the values that were entered, or those to begin with, and their errors. */
export interface FormState {
  readonly values: ReadonlyMap<string, unknown>
  readonly errors: FieldErrors
  /** The error of the form as a whole; empty if it has none. */
  readonly message: string
  /** A file that was uploaded with a form that is shown again. */
  readonly keptLogo?: KeptLogo | undefined
}

/** The types of file that a logo can have. */
const IMAGES = 'image/png,image/jpeg,image/webp,image/gif'

/** Returns the fields of a form for its template, by name. */
export const presentFields = (definitions: readonly FieldDefinition[], state: FormState) =>
  Object.fromEntries(definitions.map(field => [field.name, presentField(field, state)]))

function presentField(field: FieldDefinition, { values, errors }: FormState) {
  const { name, label, type = 'text', schema, hint = '', options = [] } = field
  const error = errors[name]
  const value = textOf(values.get(name))
  const isSecret = type === 'password' || type === 'file'
  return {
    name,
    label,
    type,
    hint,
    error: error ? errorText(label, error) : '',
    described_by: [error && `${name}-error`, hint !== '' && `${name}-hint`].filter(Boolean).join(' '),
    value: isSecret ? '' : value,
    options: options.map(option => ({
      ...option,
      is_selected: type === 'checks' ? isChecked(values, name, option.value) : String(option.value) === value,
    })),
    is_optional: field.isOptional === true,
    is_required: field.isOptional === undefined,
    is_wide: field.isWide ?? false,
    autocomplete: field.autocomplete ?? '',
    placeholder: field.placeholder ?? '',
    accept: field.accept ?? IMAGES,
    max_length: type === 'password' ? 0 : Number(schema?.['maxLength'] ?? 0),
    min_length: type === 'password' ? Number(schema?.['minLength'] ?? 0) : 0,
  }
}

/** The name of one of several checkboxes. */
const checkName = (name: string, value: string | number) => `${name}:${value}`

/** Whether a checkbox is checked: in the form that was sent, or in the list of the values to begin with. */
function isChecked(values: FormState['values'], name: string, value: string | number): boolean {
  const initial = values.get(name)
  return values.has(checkName(name, value)) || (Array.isArray(initial) && initial.includes(value))
}

/** Collects the checkboxes of a field of type `checks` into the text of a list. */
export function checkedFields({ values, isForm }: Fields, name: string): Fields {
  const prefix = checkName(name, '')
  const checked = [...values.keys()].filter(key => key.startsWith(prefix))
  return {
    values: new Map([...values, [name, checked.map(key => key.slice(prefix.length)).join(' ')]]),
    isForm,
  }
}

/** Returns the errors of a form for the summary at its top, which links to the fields. */
export const presentErrors = (definitions: readonly FieldDefinition[], { errors }: FormState) =>
  Object.entries(errors).map(([name, messages]) => {
    const label = definitions.find(field => field.name === name)?.label ?? name
    return { field: name, text: errorText(label, messages) }
  })

/** Returns an error as a sentence. The API's messages follow the name of the field. */
const errorText = (label: string, messages: readonly string[]) =>
  messages.map(message => `${label} ${message}.`).join(' ')
