import {
  type Content,
  type Contract,
  follow,
  type Operation,
  type Parameter,
  type Path,
  type Referable,
  type Response,
  type Schema,
  unlessEmpty,
  type Verb,
  VERBS,
} from './contract.ts'
import { markdown, markdownLine } from './markdown.ts'
import { describeShape, shapeOf } from './shape.ts'

const JSON_TYPE = 'application/json'
/** Characters; what may be longer gets more than one line to be written in. */
const LINE = 1000

/** What the page shows of the contract, in its order. */
export function presentContract(contract: Contract) {
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    operationsAt(contract, path, item),
  )
  return {
    title: contract.info.title,
    version: contract.info.version,
    introduction: markdown(contract.info.description ?? ''),
    sections: contract.tags
      .map(({ name, description = '' }) => ({
        name,
        id: `tag-${name}`,
        note: markdown(description),
        operations: operations.filter(({ tag }) => tag === name),
      }))
      .filter(section => section.operations.length > 0),
    schemas: Object.entries(contract.components['schemas'] ?? {}).map(([name, schema]) => ({
      name,
      id: `schema-${name}`,
      shape: describeShape(contract, schema as Schema), // that group holds nothing else
    })),
  }
}

const operationsAt = (contract: Contract, path: string, item: Path) =>
  VERBS.flatMap(verb => {
    const operation = item[verb]
    return operation ? [presentOperation(contract, path, verb, operation)] : []
  })

function presentOperation(contract: Contract, path: string, verb: Verb, operation: Operation) {
  const { parameters = [], requestBody } = operation
  return {
    id: operation.operationId,
    tag: operation.tags[0],
    method: verb.toUpperCase(),
    path,
    summary: operation.summary,
    note: markdown(operation.description ?? ''),
    access: accessOf(operation.security),
    parameters: parameters.map(parameter => presentParameter(contract, parameter)),
    bodies: Object.entries(requestBody?.content ?? {}).map(([type, { schema = {}, example }]) =>
      presentBody(contract, type, schema, example),
    ),
    responses: Object.entries(operation.responses).map(([status, response]) =>
      presentResponse(contract, status, follow(contract, response)),
    ),
  }
}

/** Who may send it, as the ways to say who one is have it. */
function accessOf(ways: readonly object[]): string {
  if (ways.length === 0) return ''
  return ways.some(way => Object.keys(way).length === 0) ? 'with or without an account' : 'needs an account'
}

function presentParameter(contract: Contract, referable: Referable<Parameter>) {
  const parameter = follow(contract, referable)
  const { name, required = false, schema = {}, description = '' } = parameter
  const field = fieldOf(schema, name, required, undefined)
  return {
    in: parameter.in,
    shape: {
      ...shapeOf(contract, schema, name, required),
      note: markdown(description),
    },
    // what is sent is real: nobody is to delete an example by a click
    field: { ...field, hint: parameter.in === 'path' ? sentAs(parameter.example) : '' },
  }
}

function presentBody(contract: Contract, type: string, schema: Schema, example: unknown) {
  const { properties = {}, required = [] } = follow(contract, schema)
  const given = new Map(Object.entries(typeof example === 'object' ? (example ?? {}) : {}))
  return {
    type,
    shape: describeShape(contract, schema),
    json: type === JSON_TYPE ? written(example) : '',
    fields:
      type === JSON_TYPE
        ? []
        : Object.entries(properties).flatMap(([name, field]) =>
            field === false
              ? []
              : [fieldOf(follow(contract, field), name, required.includes(name), given.get(name))],
          ),
  }
}

/** A value as a form or a path has it. */
const sentAs = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** What a value is put in by, with one in it where it can't be left out. */
function fieldOf(given: Schema, name: string, required: boolean, example: unknown) {
  const { schema } = unlessEmpty(given)
  const types = [schema.type ?? []].flat()
  const isFile = schema.format === 'binary'
  const choices = schema.enum?.map(String) ?? (types.includes('boolean') ? ['true', 'false'] : [])
  return {
    name,
    required,
    hint: '',
    kind: isFile ? 'file' : choices.length > 0 ? 'choice' : (schema.maxLength ?? 0) > LINE ? 'prose' : 'line',
    choices,
    value: required && !isFile ? sentAs(example) : '',
  }
}

function presentResponse(
  contract: Contract,
  status: string,
  { description, headers = {}, content = {} }: Response,
) {
  return {
    status,
    note: markdown(description),
    headers: Object.entries(headers).map(([name, referable]) => ({
      name,
      note: markdownLine(follow(contract, referable).description ?? ''),
    })),
    contents: presentContents(contract, content),
  }
}

const presentContents = (contract: Contract, content: Content) =>
  Object.entries(content).map(([type, media]) => ({
    type,
    shape: media.schema ? shapeOf(contract, media.schema) : undefined,
    example: type.endsWith('json') ? written(media.example) : '',
  }))

const written = (example: unknown) => (example === undefined ? '' : JSON.stringify(example, null, 2))
