import type { Static, TObject } from '@sinclair/typebox'

import { readField, REQUIRED } from './kinds.ts'
import { invalid, type Faults } from './problem.ts'

/** What was sent, a value for each name. */
export interface Sent {
  readonly values: ReadonlyMap<string, unknown>
  /** Form values are text: "12", "on" and "" stand for what JSON says with a type. */
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
 */
export function check<S extends TObject>(schema: S, sent: Sent): Draft<Static<S>> {
  const { values, faults } = readFields(schema, sent)
  for (const [name, field] of Object.entries(schema.properties)) {
    if (name in values || name in faults) continue
    if ('default' in field) values[name] = field['default']
    else if (schema.required?.includes(name)) faults[name] = [REQUIRED]
  }
  return draft(values, faults)
}

/** Checks those fields that were sent, and those alone. */
export function checkPatch<S extends TObject>(schema: S, sent: Sent): Draft<Partial<Static<S>>> {
  const { values, faults } = readFields(schema, sent)
  return draft(values, faults)
}

function readFields(schema: TObject, sent: Sent) {
  const values: Record<string, unknown> = {}
  const faults: Faults = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const said = sent.values.get(name)
    if (said === undefined) continue
    const { value, fault } = readField(field, said, sent.form)
    if (fault === undefined) values[name] = value
    else faults[name] = [fault]
  }
  return { values, faults }
}

function draft<T>(values: Record<string, unknown>, faults: Faults): Draft<T> {
  // the schema that was walked is the one that T was made from
  const made = new Draft<T>(values as Partial<T>)
  Object.assign(made.faults, faults)
  return made
}
