import type { TObject } from '@sinclair/typebox'
import type { FileField, RouteDescription } from '../routeDescription.ts'
import { exampleOf, type Json, mapValues, type Schemas } from './schemas.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The three forms of a body: JSON with flat names, and two of forms, whose names are wrapped. */
export function requestBody(
  schemas: Schemas,
  { body, isPatch = false, file }: RouteDescription,
): Json | undefined {
  if (!body) return undefined
  const json = schemas.body(body, isPatch)
  const form = asForm(json)
  const example = exampleOf(body)
  const formExample = { schema: form, example: wrapNames(example as Json) }
  return {
    required: json['required'] !== undefined,
    content: {
      'application/json': {
        schema: schemas.refer(nameOf(body, isPatch), () =>
          file ? withField(json, file.name, logoAsText(file)) : json,
        ),
        example,
      },
      [FORM]: formExample,
      [MULTIPART]: file ? { ...formExample, ...withFile(form, file) } : formExample,
    },
  }
}

/** `NewPlan` → `PlanPatch` */
function nameOf({ $id }: TObject, isPatch: boolean): string {
  if ($id === undefined) throw new Error('the schema of a body has a name')
  return isPatch ? $id.replace(/^New(.+)/, '$1Patch') : $id
}

const logoAsText = ({ types }: FileField): Json => ({
  type: ['string', 'null'],
  description: `Empty or null takes the file away; any other text is ignored. A file (${types.join(', ')}) is sent in a multipart form.`,
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

/** The same in a form, where all is text and nothing is null. */
function asForm(schema: Json): Json {
  const { properties, required } = schema
  const parts = ['if', 'then', 'else'].filter(key => key in schema)
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: wrapNames(mapValues(properties as Record<string, Json>, emptyForNull)),
    }),
    ...(required !== undefined && { required: (required as string[]).map(wrap) }),
    ...Object.fromEntries(parts.map(key => [key, asForm(schema[key] as Json)])),
  }
}

/** What may be null in JSON may be empty in a form. */
function emptyForNull(field: Json): Json {
  const { type: types, enum: words, description, examples, default: preset, ...rest } = field
  if (!Array.isArray(types)) return field
  const schema = {
    ...rest,
    type: types.find(type => type !== 'null'),
    ...(Array.isArray(words) && { enum: words.filter(word => word !== null) }),
  }
  return {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...(preset !== undefined && preset !== null && { default: preset }),
    anyOf: [schema, { type: 'string', maxLength: 0 }],
  }
}
