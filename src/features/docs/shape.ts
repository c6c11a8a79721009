import { type Contract, follow, nameOf, type Schema } from './contract.ts'
import { markdown, markdownLine } from './markdown.ts'

/** A schema as it is read: what a value is, what holds for it, and what it has within. */
export interface Shape {
  readonly name: string
  readonly required: boolean
  readonly type: readonly TypePart[]
  readonly facts: readonly string[]
  readonly note: string
  readonly members: readonly Shape[]
  /** What holds for the members together, as HTML. */
  readonly rules: readonly string[]
}

/** A piece of what a type is called, with the component that tells of it, `''` if none does. */
export interface TypePart {
  readonly text: string
  readonly component: string
}

/** Where there are more, the first of them and the last are named. */
const CHOICES_SHOWN = 12
const FIRST_CHOICES = 4
/** Characters; a longer pattern is nothing to read. */
const PATTERN_SHOWN = 24
/** What a format says to programs alone. */
const MUTE_FORMAT = /^u?int\d+$/

const ANY_NAME = '(any name)'

/** The shape of a schema; what it refers to by name is only named. */
export function shapeOf(contract: Contract, schema: Schema, name = '', required = false): Shape {
  const within = schema.items ?? schema
  return {
    name,
    required,
    type: typeOf(schema),
    facts: [...factsOf(schema), ...(within === schema ? [] : factsOf(within))],
    note: markdown(schema.description ?? ''),
    members: membersOf(contract, within),
    rules: rulesOf(within),
  }
}

/** The shape of a schema that is told here, though it has a name. */
export const toldShape = (contract: Contract, schema: Schema) => shapeOf(contract, follow(contract, schema))

function membersOf(contract: Contract, schema: Schema): Shape[] {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const named = Object.entries(properties).flatMap(([name, member]) =>
    member === false ? [] : [shapeOf(contract, member, name, required.includes(name))],
  )
  const any = typeof others === 'object' ? [shapeOf(contract, others, ANY_NAME)] : []
  const choices = choicesOf(schema)?.flatMap(choice => membersOf(contract, choice)) ?? []
  return [...named, ...any, ...choices]
}

const choicesOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf

function typeOf(schema: Schema): TypePart[] {
  const { $ref, type, items } = schema
  if ($ref !== undefined) return [{ text: nameOf($ref), component: nameOf($ref) }]
  if (items) return [plain('array of '), ...typeOf(items)]
  const choices = choicesOf(schema)
  if (choices) return choices.flatMap((choice, at) => [...(at > 0 ? [plain(' or ')] : []), ...typeOf(choice)])
  const format = schema.format ?? schema.contentMediaType ?? ''
  const said = [type ?? []].flat().join(' or ')
  return said === '' ? [] : [plain(format === '' || MUTE_FORMAT.test(format) ? said : `${said} (${format})`)]
}

const plain = (text: string): TypePart => ({ text, component: '' })

/** The two ends of what is counted, and of what. */
const RANGES = [
  ['minLength', 'maxLength', ' characters'],
  ['minimum', 'maximum', ''],
  ['minItems', 'maxItems', ' of them'],
] as const

function rangeOf(schema: Schema, [least, most, counted]: (typeof RANGES)[number]): string[] {
  const [from, to] = [schema[least], schema[most]].map(end => end?.toLocaleString('en'))
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${counted}`]
  if (from !== undefined) return [`at least ${from}${counted}`]
  return to === undefined ? [] : [`at most ${to}${counted}`]
}

function factsOf(schema: Schema): string[] {
  return [
    ...(schema.enum ? [`one of ${choicesTold(schema.enum.map(told))}`] : []),
    ...(schema.const === undefined ? [] : [`always ${told(schema.const)}`]),
    ...RANGES.flatMap(range => rangeOf(schema, range)),
    ...(schema.pattern !== undefined && schema.pattern.length <= PATTERN_SHOWN
      ? [`matches ${schema.pattern}`]
      : []),
    ...(schema.default === undefined ? [] : [`${told(schema.default)} if not given`]),
  ]
}

const choicesTold = (choices: readonly string[]) =>
  choices.length <= CHOICES_SHOWN
    ? choices.join(', ')
    : `${choices.length}: ${choices.slice(0, FIRST_CHOICES).join(', ')}, …, ${choices.at(-1)}`

function rulesOf(schema: Schema): string[] {
  const conditions = [schema, ...(schema.allOf ?? [])].flatMap(({ if: when, then, else: otherwise }) => {
    if (!when) return []
    return [
      ...(then ? [`If ${conditionOf(when)}: ${consequenceOf(then)}.`] : []),
      ...(otherwise
        ? [`${then ? 'Otherwise' : `Unless ${conditionOf(when)}`}: ${consequenceOf(otherwise)}.`]
        : []),
    ]
  })
  return conditions.map(markdownLine)
}

const conditionOf = ({ properties = {}, required = [] }: Schema) =>
  Object.keys(properties).length === 0
    ? `there is ${required.map(code).join(' and ')}`
    : Object.entries(properties)
        .map(([name, member]) =>
          member === false ? `there is no ${code(name)}` : `${code(name)} is ${valuesOf(member)}`,
        )
        .join(' and ')

function valuesOf(schema: Schema): string {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  return (
    values?.map(value => code(told(value))).join(' or ') ??
    typeOf(schema)
      .map(({ text }) => text)
      .join('')
  )
}

function consequenceOf({ properties = {}, required = [], not }: Schema & { readonly not?: Schema }): string {
  const members = Object.entries(properties)
  const absent = [
    ...members.filter(([, member]) => member === false).map(([name]) => name),
    ...(not?.required ?? []),
  ]
  const bound = members.flatMap(([name, member]) =>
    member === false || valuesOf(member) === '' ? [] : [`${code(name)} is ${valuesOf(member)}`],
  )
  return [
    ...required.map(name => `${code(name)} is required`),
    ...bound,
    ...absent.map(name => `there is no ${code(name)}`),
  ].join(', ')
}

const code = (text: string) => `\`${text}\``
const told = (value: unknown) =>
  value === '' ? 'empty' : typeof value === 'string' ? value : JSON.stringify(value)
