import type { TObject } from '@sinclair/typebox'
import type { FileField, RouteDescription } from '../routeDescription.ts'
import { exampleOf, type Json, mapValues, type Schemas } from './schemas.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** Returns the request body object: the body as JSON, and as a form in two encodings, with wrapped names. */
export function requestBody(
  schemas: Schemas,
  { body, draft, isPatch = false, isLarge = false, file, upload, query }: RouteDescription,
): Json | undefined {
  if (upload) return uploadBody(schemas, upload, query)
  if (!body) return undefined
  const json = draft ? schemas.bodyOrDraft(body, draft) : schemas.body(body, isPatch)
  const form = asForm(json)
  const example = exampleOf(body)
  const formExample = { schema: form, example: wrapNames(example as Json) }
  const required = json['required'] !== undefined
  const jsonContent = {
    'application/json': {
      schema: schemas.reference(nameOf(body, isPatch), () =>
        file ? withField(json, file.name, logoAsText(file)) : json,
      ),
      example,
    },
  }
  if (isLarge) return { required, content: jsonContent }
  return {
    required,
    content: {
      ...jsonContent,
      [FORM]: formExample,
      [MULTIPART]: file ? { ...formExample, ...withFile(form, file) } : formExample,
    },
  }
}

/** Returns the request body object of a file, which can also be sent in a form with the fields of the query. */
function uploadBody(
  schemas: Schemas,
  { field, types, description }: NonNullable<RouteDescription['upload']>,
  query: TObject | undefined,
): Json {
  const file = { type: 'string', format: 'binary', description }
  const fields = query ? schemas.body(query, false)['properties'] : {}
  const options = mapValues(fields as Record<string, Json>, emptyForNull)
  const form = { type: 'object', properties: { [field]: file, ...options }, required: [field] }
  const example = { ...(query && (exampleOf(query) as Json)), [field]: '…' }
  return {
    required: true,
    content: {
      [MULTIPART]: { schema: form, example },
      ...Object.fromEntries(types.map(type => [type, { schema: file }])),
    },
  }
}

/** Returns the component's name of a body: `NewPlan`, or `PlanPatch` for a patch. */
function nameOf({ $id }: TObject, isPatch: boolean): string {
  if ($id === undefined) throw new Error('The schema of a request body needs an $id.')
  return isPatch ? $id.replace(/^New(.+)/, '$1Patch') : $id
}

const logoAsText = ({ types }: FileField): Json => ({
  type: ['string', 'null'],
  description: `Empty or null removes the file; other text is ignored. To send a file (${types.join(', ')}), use a multipart form.`,
})

const withField = (schema: Json, name: string, field: Json): Json => ({
  ...schema,
  properties: { ...(schema['properties'] as Json), [name]: field },
})

function withFile(form: Json, { name, types, description }: FileField): Json {
  const field = {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    description,
  }
  return {
    schema: withField(form, wrap(name), field),
    encoding: { [wrap(name)]: { contentType: types.join(', ') } },
  }
}

const wrap = (name: string) => `job[${name}]`

const wrapNames = (fields: Json) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [wrap(name), value]))

/** Converts the schema of a JSON body to that of a form, which has only text and no null. */
function asForm(schema: Json): Json {
  const { properties, required, anyOf } = schema
  const parts = ['if', 'then', 'else'].filter(key => key in schema)
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: wrapNames(mapValues(properties as Record<string, Json>, emptyForNull)),
    }),
    ...(required !== undefined && { required: (required as string[]).map(wrap) }),
    ...Object.fromEntries(parts.map(key => [key, asForm(schema[key] as Json)])),
    ...(anyOf !== undefined && { anyOf: (anyOf as Json[]).map(asForm) }),
  }
}

/** Lets a field that may be null in JSON be empty in a form. */
function emptyForNull(field: Json): Json {
  const { type: types, enum: values, description, examples, default: preset, ...rest } = field
  if (!Array.isArray(types)) return field
  const schema = {
    ...rest,
    type: types.find(type => type !== 'null'),
    ...(Array.isArray(values) && { enum: values.filter(value => value !== null) }),
  }
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...(preset !== undefined && preset !== null && { default: preset }),
    anyOf: [schema, { type: 'string', maxLength: 0 }],
  }
}
