import { type Contract, follow, nameOf, type Schema, unlessEmpty } from './contract.ts'
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
export function shapeOf(contract: Contract, given: Schema, name = '', required = false): Shape {
  const { schema, mayBeEmpty } = unlessEmpty(given)
  const within = schema.items ?? schema
  return {
    name,
    required,
    type: typeOf(schema),
    facts: [
      ...factsOf(schema),
      ...(within === schema ? [] : factsOf(within)),
      ...(mayBeEmpty ? ['may be empty'] : []),
    ],
    note: markdown(schema.description ?? ''),
    members: membersOf(contract, within),
    rules: rulesOf(within),
  }
}

/** The shape of a schema that is told here, though it has a name. */
export const describeShape = (contract: Contract, schema: Schema) =>
  shapeOf(contract, follow(contract, schema))

function membersOf(contract: Contract, schema: Schema): Shape[] {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const named = Object.entries(properties).flatMap(([name, member]) =>
    member === false ? [] : [shapeOf(contract, member, name, required.includes(name))],
  )
  const any = typeof others === 'object' ? [shapeOf(contract, others, ANY_NAME)] : []
  const choices = schema.anyOf?.flatMap(choice => membersOf(contract, choice)) ?? []
  return [...named, ...any, ...choices]
}

function typeOf(schema: Schema): TypePart[] {
  const { $ref, type, items, anyOf, format = '' } = schema
  if ($ref !== undefined) return [{ text: nameOf($ref), component: nameOf($ref) }]
  if (items) return [plain('array of '), ...typeOf(items)]
  if (anyOf) return anyOf.flatMap((choice, at) => [...(at > 0 ? [plain(' or ')] : []), ...typeOf(choice)])
  const said = [type ?? []].flat().join(' or ')
  return said === '' ? [] : [plain(format === '' || MUTE_FORMAT.test(format) ? said : `${said} (${format})`)]
}

const plain = (text: string): TypePart => ({ text, component: '' })

/** The two ends of what is counted, and of what. */
const RANGES = [
  ['minLength', 'maxLength', ' characters'],
  ['minimum', 'maximum', ''],
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
    ...(schema.minItems === undefined ? [] : [`at least ${schema.minItems} of them`]),
    ...(schema.default === undefined ? [] : [`${told(schema.default)} if not given`]),
  ]
}

const choicesTold = (choices: readonly string[]) =>
  choices.length <= CHOICES_SHOWN
    ? choices.join(', ')
    : `${choices.length}: ${choices.slice(0, FIRST_CHOICES).join(', ')}, …, ${choices.at(-1)}`

/** What else is required, and when. */
function rulesOf({ if: when, then = {}, else: otherwise = {} }: Schema): string[] {
  if (!when) return []
  const conditions = Object.entries(when.properties ?? {}).map(
    ([name, member]) => `${code(name)} is ${code(told(member && member.const))}`,
  )
  return [
    ...requirementsOf(`If ${conditions.join(' and ')}`, then),
    ...requirementsOf('Otherwise', otherwise),
  ]
}

const requirementsOf = (when: string, { required = [] }: Schema) =>
  required.length === 0 ? [] : [markdownLine(`${when}: ${required.map(code).join(' and ')} is required.`)]

const code = (text: string) => `\`${text}\``
const told = (value: unknown) =>
  value === '' ? 'empty' : typeof value === 'string' ? value : JSON.stringify(value)
