import prose from '../../assets/docs/interface.md' with { type: 'text' }
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import type { Route } from '../../http/auth.ts'
import { openApiDocument } from '../../http/openapi/document.ts'
import { EncodedBody } from '../../http/response/encodedBody.ts'

/** Returns the OpenAPI document of the routes, encoded. */
export const presentOpenApi = ({ config, links }: Board, routes: readonly Route[]): EncodedBody<Uint8Array> =>
  EncodedBody.json(openApiDocument({ name: config.name, version, base: links.base, prose }, routes))
