import { expect, test } from 'bun:test'
import type { ProblemKind } from '../../src/base/problem.ts'
import { bodyLimits } from '../../src/http/request/body.ts'
import { BodyBudget } from '../../src/http/request/bodyBudget.ts'
import { readFields as readFrom } from '../../src/http/request/fields.ts'

export const JSON_TYPE = 'application/json'
export const URLENCODED = 'application/x-www-form-urlencoded'
export const MULTIPART = 'multipart/form-data; boundary=B'
export const KiB = 1024
export const MiB = 1024 * KiB

const LOGO = { name: 'logo', types: ['image/png'], description: '' }

export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** Creates a request with only the given headers. A text is sent with one byte for each character. */
export function requestOf(type: string | null, body: Body, headers: Record<string, string> = {}): Request {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  const request = new Request('http://board.test/', { method: 'POST', body: bytes, headers })
  request.headers.delete('content-type')
  if (type !== null) request.headers.set('content-type', type)
  return request
}

/** Reads the fields of a request to a route that takes a file. */
export const readFields = (request: Request) => {
  const source = { clientAddress: '192.0.2.1', services: { bodyBudget: new BodyBudget() }, onEnd: () => {} }
  return readFrom({ ...source, request }, bodyLimits({ access: 'user', file: LOGO }))
}

/** The fields of a request by name, or the kind of the error. */
export type Outcome = Record<string, unknown> | ProblemKind

export async function outcomeOf(request: Request): Promise<Outcome> {
  try {
    return Object.fromEntries((await readFields(request)).values)
  } catch (error) {
    if (error instanceof Error && 'kind' in error) return error.kind as ProblemKind
    throw error
  }
}

type BodyCase = readonly [
  name: string,
  type: string | null,
  body: Body,
  outcome: Outcome,
  headers?: Record<string, string>,
]

/** Defines a test for each case. */
export function testBodies(cases: readonly BodyCase[]) {
  test.each(cases.map(row => [row[0], row] as const))('%s', async (_, [, type, body, expected, headers]) => {
    expect(await outcomeOf(requestOf(type, body, headers))).toEqual(expected)
  })
}

export const utf8 = (text: string) => new Uint8Array(Buffer.from(text))

/** Returns the names of this many fields, each ending in "=". */
export const fieldNames = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=`)

/** Returns a part of a multipart body. */
export const part = (parameters: string, content: string) =>
  `--B\r\nContent-Disposition: form-data; ${parameters}\r\n\r\n${content}\r\n`

/** Returns a multipart body of parts. */
export const multipart = (...parts: string[]) => `${parts.join('')}--B--\r\n`
