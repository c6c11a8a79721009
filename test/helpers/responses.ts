type Json = Record<string, unknown>

/** The JSON object of an answer. */
export async function jsonObject(answer: Response | Promise<Response>): Promise<Json> {
  const value: unknown = await (await answer).json()
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`no object: ${JSON.stringify(value)}`)
  return value as Json // an object of JSON has names of text
}

/** The JSON list of an answer. */
export async function jsonList(answer: Response | Promise<Response>): Promise<Json[]> {
  const value: unknown = await (await answer).json()
  if (!Array.isArray(value)) throw new Error(`no list: ${JSON.stringify(value)}`)
  return value
}

/** The ids of the things in a list, in its order. */
export const idsOf = async (answer: Response | Promise<Response>) =>
  (await jsonList(answer)).map(({ id }) => Number(id))

/** The fields that an answer of 422 finds fault with, each with what is wrong; of another answer the status. */
export async function fieldErrors(answer: Response | Promise<Response>): Promise<unknown> {
  const { status } = await answer
  return status === 422 ? ((await jsonObject(answer))['errors'] ?? 'no fields') : status
}

export const statusOf = async (answer: Promise<Response>) => (await answer).status
