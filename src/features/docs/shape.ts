import { componentName, type Contract, resolve, type Schema, splitOptionalText } from './contract.ts'
import { markdown, markdownLine } from './markdown.ts'

/** A schema as the page shows it. */
interface Shape {
  readonly name: string
  readonly required: boolean
  readonly type: readonly TypePart[]
  readonly facts: readonly string[]
  readonly note: string
  readonly members: readonly Shape[]
  /** Conditional requirements of the members, as HTML. */
  readonly rules: readonly string[]
}

/** A piece of a type's name, with the name of the component that it links to, or `''`. */
interface TypePart {
  readonly text: string
  readonly component: string
}

/** The most choices that are listed in full. Of longer lists, only the first and the last are shown. */
const MAX_CHOICES = 12
const FIRST_CHOICES = 4
/** The length of the longest pattern that is shown, in characters. */
const MAX_PATTERN = 24
/** Formats that matter only to programs, and are not shown. */
const HIDDEN_FORMAT = /^u?int\d+$/

const ANY_NAME = '(any name)'

/** Returns the shape of a schema. Components that it references are only named. */
export function shapeOf(contract: Contract, source: Schema, name = '', required = false): Shape {
  const { schema, canBeEmpty } = splitOptionalText(source)
  const content = schema.items ?? schema
  return {
    name,
    required,
    type: typeOf(schema),
    facts: [
      ...factsOf(schema),
      ...(content === schema ? [] : factsOf(content)),
      ...(canBeEmpty ? ['may be empty'] : []),
    ],
    note: markdown(schema.description ?? ''),
    members: membersOf(contract, content),
    rules: rulesOf(content),
  }
}

/** Returns the shape of a schema, or of the component that it references. */
export const resolvedShapeOf = (contract: Contract, schema: Schema) =>
  shapeOf(contract, resolve(contract, schema))

function membersOf(contract: Contract, schema: Schema): Shape[] {
  const { properties = {}, required = [], additionalProperties: others } = schema
  const named = Object.entries(properties).flatMap(([name, member]) =>
    member === false ? [] : [shapeOf(contract, member, name, required.includes(name))],
  )
  const any = typeof others === 'object' ? [shapeOf(contract, others, ANY_NAME)] : []
  const choices = choicesOf(schema)?.flatMap(choice => membersOf(contract, choice)) ?? []
  return [...named, ...any, ...choices]
}

/** Returns the schemas that a value can have. Those of an object with properties only say which of these are required. */
const choicesOf = ({ anyOf, properties }: Schema) => (properties ? undefined : anyOf)

function typeOf(schema: Schema): TypePart[] {
  const { $ref, type, items, format = '' } = schema
  const choices = choicesOf(schema)
  if ($ref !== undefined) return [{ text: componentName($ref), component: componentName($ref) }]
  if (items) return [plain('array of '), ...typeOf(items)]
  if (choices) return choices.flatMap((choice, at) => [...(at > 0 ? [plain(' or ')] : []), ...typeOf(choice)])
  const text = [type ?? []].flat().join(' or ')
  return text === ''
    ? []
    : [plain(format === '' || HIDDEN_FORMAT.test(format) ? text : `${text} (${format})`)]
}

const plain = (text: string): TypePart => ({ text, component: '' })

/** The keywords of ranges, and their unit. */
const RANGES = [
  ['minLength', 'maxLength', ' characters'],
  ['minimum', 'maximum', ''],
] as const

function rangeOf(schema: Schema, [minimum, maximum, unit]: (typeof RANGES)[number]): string[] {
  const [from, to] = [schema[minimum], schema[maximum]].map(end => end?.toLocaleString('en'))
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`]
  if (from !== undefined) return [`at least ${from}${unit}`]
  return to === undefined ? [] : [`at most ${to}${unit}`]
}

function factsOf(schema: Schema): string[] {
  return [
    ...(schema.enum ? [`one of ${listChoices(schema.enum.map(valueText))}`] : []),
    ...(schema.const === undefined ? [] : [`always ${valueText(schema.const)}`]),
    ...RANGES.flatMap(range => rangeOf(schema, range)),
    ...(schema.pattern !== undefined && schema.pattern.length <= MAX_PATTERN
      ? [`matches ${schema.pattern}`]
      : []),
    ...(schema.minItems === undefined ? [] : [`at least ${schema.minItems} items`]),
    ...(schema.default === undefined ? [] : [`default ${valueText(schema.default)}`]),
  ]
}

const listChoices = (choices: readonly string[]) =>
  choices.length <= MAX_CHOICES
    ? choices.join(', ')
    : `${choices.length}: ${choices.slice(0, FIRST_CHOICES).join(', ')}, …, ${choices.at(-1)}`

/** Returns sentences about fields of which one is required, or that are required under a condition. */
function rulesOf(schema: Schema): string[] {
  return [...alternativesOf(schema), ...conditionsOf(schema)]
}

function alternativesOf({ anyOf = [] }: Schema): string[] {
  const names = anyOf.flatMap(each => (each && each.required) || [])
  if (names.length === 0) return []
  return [
    markdownLine(
      `Either ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names.map(code))} is required.`,
    ),
  ]
}

function conditionsOf({ if: when, then, else: otherwise = {} }: Schema): string[] {
  if (!when) return []
  const conditions = Object.entries(when.properties ?? {}).map(
    ([name, member]) => `${code(name)} is ${code(valueText(member && member.const))}`,
  )
  const condition = conditions.join(' and ')
  return [
    ...(then ? requirementsOf(`If ${condition}`, then) : []),
    ...requirementsOf(then ? 'Otherwise' : `Unless ${condition}`, otherwise),
    ...rulesOf(otherwise),
  ]
}

function requirementsOf(when: string, { required = [] }: Schema): string[] {
  if (required.length === 0) return []
  const names = new Intl.ListFormat('en').format(required.map(code))
  return [markdownLine(`${when}: ${names} ${required.length === 1 ? 'is' : 'are'} required.`)]
}

const code = (text: string) => `\`${text}\``
const valueText = (value: unknown) =>
  value === '' ? 'empty' : typeof value === 'string' ? value : JSON.stringify(value)
