import { type Contract, type Exemplified, follow, type Schema } from './contract.ts'

/** How a value of a type looks that nobody gave an example of. */
const PLAIN: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
  object: {},
}

/** An example of what is described: the one that it has, or else one made from its schema. */
export function exampleOf(contract: Contract, { example, examples, schema }: Exemplified): unknown {
  if (example !== undefined) return example
  const [named] = Object.values(examples ?? {})
  if (named !== undefined) return follow(contract, named).value
  return schema === undefined ? undefined : made(contract, schema)
}

function made(contract: Contract, sought: Schema): unknown {
  const schema = follow(contract, sought)
  const [given] = [...(schema.examples ?? []), schema.default, schema.const, ...(schema.enum ?? [])].filter(
    value => value !== undefined,
  )
  if (given !== undefined) return given
  const [choice] = schema.oneOf ?? schema.anyOf ?? []
  if (choice !== undefined) return made(contract, choice)
  const parts = schema.allOf?.map(part => made(contract, part)) ?? []
  if (parts.length > 0) return Object.assign({}, ...parts, membersOf(contract, schema))
  if (schema.items !== undefined) return [made(contract, schema.items)]
  if (schema.properties !== undefined) return membersOf(contract, schema)
  return PLAIN[String([schema.type].flat()[0])] ?? null
}

const membersOf = (contract: Contract, { properties = {} }: Schema) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      schema === false ? [] : [[name, made(contract, schema)]],
    ),
  )
