import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { leavesBlank, readField, REQUIRED } from './kind.ts'
import { type Faults, invalid } from './problem.ts'

/** What was sent, a value for each name. */
export interface Sent {
  readonly values: ReadonlyMap<string, unknown>
  /** Whether it came as a form and not as JSON. */
  readonly form: boolean
}

/** Something that is being checked: the values that are right so far, and the faults of the others. */
export class Draft<T> {
  readonly faults: Faults = {}

  constructor(readonly values: Partial<T>) {}

  /** Notes what is wrong with a field. A field has one fault at a time, the first that was found. */
  refuse(field: string, fault: string): void {
    this.faults[field] ??= [fault]
  }

  /** Notes what another check found. */
  refuseAll(faults: Faults): void {
    for (const [field, [fault]] of Object.entries(faults)) if (fault !== undefined) this.refuse(field, fault)
  }

  get isFaulty(): boolean {
    return Object.keys(this.faults).length > 0
  }

  /** Whether a field was given, rightly or wrongly. */
  tells(field: keyof T & string): boolean {
    return field in this.faults || this.values[field] !== undefined
  }

  /** The value of a field, unless it is at fault or was not sent. */
  value<K extends keyof T & string>(field: K): T[K] | undefined {
    return this.faults[field] ? undefined : this.values[field]
  }

  /**
   * The values, of which none is missing.
   * @throws Problem 'invalid' that names every field at fault
   */
  settle(): T {
    if (this.isFaulty) throw invalid(this.faults)
    // no fault means that every required field was read
    return this.values as T
  }
}

/**
 * Checks what was sent by a schema of kinds. What the schema does not know is ignored; what was not sent takes the
 * schema's default: the schema is that of the value, so that it requires also what need not be sent.
 * @param before the values that stay where nothing is sent, ahead of any default
 */
export function check<S extends TObject>(
  schema: S,
  sent: Sent,
  before: ReadonlyMap<string, unknown> = NOTHING,
): Draft<Static<S>> {
  return readAll<Static<S>>(schema, sent, (name, field, draft) => {
    if (before.has(name)) readInto(draft, name, readField(field, before.get(name)))
    else if ('default' in field) draft.values[name] = field['default']
    else if (schema.required?.includes(name)) draft.refuse(name, REQUIRED)
  })
}

/** Checks those fields that were sent, and those alone. */
export const checkPatch = <S extends TObject>(schema: S, sent: Sent): Draft<Partial<Static<S>>> =>
  readAll<Partial<Static<S>>>(schema, sent, () => {})

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** Whether a field has a default or may be left out: then it may be sent blank, which is as good as not at all. */
export const isOptional = (schema: TObject, name: string) =>
  'default' in (schema.properties[name] ?? {}) || schema.required?.includes(name) !== true

type Values = Record<string, unknown>

function readAll<T>(
  schema: TObject,
  sent: Sent,
  unsent: (name: string, field: TSchema, draft: Draft<Values>) => void,
): Draft<T> {
  const draft = new Draft<Values>({})
  for (const [name, field] of Object.entries(schema.properties)) {
    const said = sent.values.get(name)
    const isUnsent = said === undefined || (isOptional(schema, name) && leavesBlank(field, said))
    if (isUnsent) unsent(name, field, draft)
    else readInto(draft, name, readField(field, said))
  }
  // the schema that was walked is the one that T was made from
  return draft as Draft<unknown> as Draft<T>
}

function readInto(draft: Draft<Values>, name: string, { value, fault }: ReturnType<typeof readField>) {
  if (fault === undefined) draft.values[name] = value
  else draft.refuse(name, fault)
}
