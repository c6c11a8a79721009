type Json = Record<string, unknown>

/** Returns the JSON object of a response. */
export async function jsonObject(response: Response | Promise<Response>): Promise<Json> {
  const value: unknown = await (await response).json()
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`no object: ${JSON.stringify(value)}`)
  return value as Json // JSON objects have string keys
}

/** Returns the JSON array of a response. */
export async function jsonList(response: Response | Promise<Response>): Promise<Json[]> {
  const value: unknown = await (await response).json()
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`)
  return value
}

/** Returns the ids of a list in its order. */
export const idsOf = async (response: Response | Promise<Response>) =>
  (await jsonList(response)).map(({ id }) => Number(id))

/** Returns the errors by field of a 422 response, or the status of another. */
export async function fieldErrors(response: Response | Promise<Response>): Promise<unknown> {
  const { status } = await response
  return status === 422 ? ((await jsonObject(response))['errors'] ?? 'no fields') : status
}

export const statusOf = async (response: Promise<Response>) => (await response).status
