import {
  type Content,
  type Contract,
  type Method,
  METHODS,
  type Operation,
  type Parameter,
  type Path,
  type Referable,
  resolve,
  type ResponseObject,
  type Schema,
  splitOptionalText,
} from './contract.ts'
import { markdown, markdownLine } from './markdown.ts'
import { resolvedShapeOf, shapeOf } from './shape.ts'

const JSON_TYPE = 'application/json'
/** The maximum length of text that gets a one-line input, in characters. */
const MAX_LINE = 1000

/** Returns the view that the page's templates render. */
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
      // This group contains only schemas.
      shape: resolvedShapeOf(contract, schema as Schema),
    })),
  }
}

const operationsAt = (contract: Contract, path: string, item: Path) =>
  METHODS.flatMap(method => {
    const operation = item[method]
    return operation ? [presentOperation(contract, path, method, operation)] : []
  })

function presentOperation(contract: Contract, path: string, method: Method, operation: Operation) {
  const { parameters = [], requestBody } = operation
  return {
    id: operation.operationId,
    tag: operation.tags[0],
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    note: markdown(operation.description ?? ''),
    access: accessOf(operation.security),
    parameters: parameters.map(parameter => presentParameter(contract, parameter)),
    bodies: Object.entries(requestBody?.content ?? {}).map(([type, { schema = {}, example }]) =>
      presentBody(contract, type, schema, example),
    ),
    responses: Object.entries(operation.responses).map(([status, response]) =>
      presentResponse(contract, status, resolve(contract, response)),
    ),
  }
}

/** Returns a note on the credentials that an operation accepts; empty if it is public. */
function accessOf(security: readonly object[]): string {
  if (security.length === 0) return ''
  return security.some(scheme => Object.keys(scheme).length === 0) ? 'account optional' : 'account required'
}

function presentParameter(contract: Contract, referable: Referable<Parameter>) {
  const parameter = resolve(contract, referable)
  const { name, required = false, schema = {}, description = '' } = parameter
  const field = fieldOf(schema, name, required, undefined)
  return {
    in: parameter.in,
    shape: {
      ...shapeOf(contract, schema, name, required),
      note: markdown(description),
    },
    // Requests are real. With an example as the value, one click would delete that record.
    field: { ...field, hint: parameter.in === 'path' ? formValue(parameter.example) : '' },
  }
}

function presentBody(contract: Contract, type: string, schema: Schema, example: unknown) {
  const { properties = {}, required = [] } = resolve(contract, schema)
  const examples = new Map(Object.entries(typeof example === 'object' ? (example ?? {}) : {}))
  return {
    type,
    shape: resolvedShapeOf(contract, schema),
    json: type === JSON_TYPE ? formatJson(example) : '',
    fields:
      type === JSON_TYPE
        ? []
        : Object.entries(properties).flatMap(([name, field]) =>
            field === false
              ? []
              : [fieldOf(resolve(contract, field), name, required.includes(name), examples.get(name))],
          ),
  }
}

/** Returns a value as the text that a form or a path contains. */
const formValue = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Returns the input for a value. Only required ones are filled in. */
function fieldOf(source: Schema, name: string, required: boolean, example: unknown) {
  const { schema } = splitOptionalText(source)
  const types = [schema.type ?? []].flat()
  const isFile = schema.format === 'binary'
  const choices = schema.enum?.map(String) ?? (types.includes('boolean') ? ['true', 'false'] : [])
  return {
    name,
    required,
    hint: '',
    kind: isFile
      ? 'file'
      : choices.length > 0
        ? 'choice'
        : (schema.maxLength ?? 0) > MAX_LINE
          ? 'prose'
          : 'line',
    choices,
    value: required && !isFile ? formValue(example) : '',
  }
}

function presentResponse(
  contract: Contract,
  status: string,
  { description, headers = {}, content = {} }: ResponseObject,
) {
  return {
    status,
    note: markdown(description),
    headers: Object.entries(headers).map(([name, referable]) => ({
      name,
      note: markdownLine(resolve(contract, referable).description ?? ''),
    })),
    contents: presentContents(contract, content),
  }
}

const presentContents = (contract: Contract, content: Content) =>
  Object.entries(content).map(([type, media]) => ({
    type,
    shape: media.schema ? shapeOf(contract, media.schema) : undefined,
    example: type.endsWith('json') ? formatJson(media.example) : '',
  }))

const formatJson = (example: unknown) => (example === undefined ? '' : JSON.stringify(example, null, 2))
