import prose from '../../assets/docs/interface.md' with { type: 'text' }
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import { openApiDocument } from '../../http/openapi/document.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'
import type { ListedRoute } from '../../http/route.ts'

/** The OpenAPI document of an interface with these routes. */
export const presentOpenApi = (
  { config, links }: Board,
  routes: readonly ListedRoute[],
): EncodedBody<Uint8Array> =>
  EncodedBody.json(openApiDocument({ name: config.name, version, base: links.base, prose }, routes))
