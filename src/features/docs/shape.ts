import { type Contract, follow, nameOf, type Schema } from './contract.ts'
import { markdown, markdownLine } from './markdown.ts'

/** A schema as it is read: what a value is, what holds for it, and what it has within. */
export interface Shape {
  readonly name: string
  readonly required: boolean
  readonly type: string
  /** The component that tells of it; `''` if it is told here. */
  readonly component: string
  readonly facts: readonly string[]
  readonly note: string
  readonly members: readonly Shape[]
  /** What holds for the members together, as HTML. */
  readonly rules: readonly string[]
}

const ANY_NAME = '(any name)'

/** The shape of a schema; what it refers to by name is only named. */
export function shapeOf(contract: Contract, schema: Schema, name = '', required = false): Shape {
  const within = schema.type === 'array' && schema.items ? schema.items : schema
  const isNamed = within.$ref !== undefined
  return {
    name,
    required,
    type: typeOf(schema),
    component: isNamed ? nameOf(within.$ref) : '',
    facts: [...factsOf(schema), ...(within === schema ? [] : factsOf(within))],
    note: markdown(schema.description ?? ''),
    members: isNamed ? [] : membersOf(contract, within),
    rules: isNamed ? [] : rulesOf(within),
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
  const parts = (
    [
      ['all of', schema.allOf],
      ['any of', schema.anyOf],
      ['one of', schema.oneOf],
    ] as const
  ).flatMap(([label, choices]) => choices?.map(choice => shapeOf(contract, choice, label)) ?? [])
  return [...named, ...any, ...parts.filter(part => part.type !== '' || part.members.length > 0)]
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.type === 'array')
    return `array of ${schema.items ? typeOf(schema.items) || 'anything' : 'anything'}`
  const type = [schema.type ?? []].flat().join(' or ')
  const format = schema.format ?? schema.contentMediaType
  return format === undefined ? type : `${type} (${format})`
}

const COUNTS: readonly (readonly [keyof Schema, string])[] = [
  ['minLength', 'at least % characters'],
  ['maxLength', 'at most % characters'],
  ['minimum', 'at least %'],
  ['maximum', 'at most %'],
  ['minItems', 'at least % of them'],
  ['maxItems', 'at most % of them'],
]

function factsOf(schema: Schema): string[] {
  const counts = COUNTS.flatMap(([key, said]) => {
    const limit = schema[key]
    return typeof limit === 'number' ? [said.replace('%', limit.toLocaleString('en'))] : []
  })
  return [
    ...(schema.enum ? [`one of ${schema.enum.map(told).join(', ')}`] : []),
    ...(schema.const === undefined ? [] : [`always ${told(schema.const)}`]),
    ...counts,
    ...(schema.pattern === undefined ? [] : [`matches ${schema.pattern}`]),
    ...(schema.default === undefined ? [] : [`${told(schema.default)} if not given`]),
  ]
}

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

const valuesOf = (schema: Schema): string =>
  schema.enum?.map(value => code(told(value))).join(' or ') ??
  (schema.const === undefined ? typeOf(schema) || [...factsOf(schema)].join(', ') : code(told(schema.const)))

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
