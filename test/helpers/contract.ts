import type { TestBoard } from './board.ts'
import { jsonObject } from './responses.ts'

export type Json = Record<string, unknown>

/** The parts of an OpenAPI document that tests use. */
export interface Contract extends Json {
  readonly info: Json
  readonly servers: readonly Json[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters?: readonly Json[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Json>>
}

export interface Media {
  readonly schema: Json
  readonly example?: unknown
}

/** Returns a board's OpenAPI document. */
export const contractOf = async (board: TestBoard) =>
  (await jsonObject(board.get('/openapi.json'))) as unknown as Contract // another test checks its shape

/** Returns every operation with its method and path. */
export const operationsOf = ({ paths }: Contract) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
