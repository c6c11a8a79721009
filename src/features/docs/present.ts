import prose from '../../assets/docs/interface.md' with { type: 'text' }
import type { Board } from '../../board.ts'
import { version } from '../../config/version.ts'
import type { Route } from '../../http/auth.ts'
import { describeInterface } from '../../http/openapi/document.ts'
import { Rendered } from '../../http/rendered.ts'

/** The OpenAPI document of the interface that these routes are, as it goes out. */
export const presentInterface = ({ config, links }: Board, routes: readonly Route[]): Rendered<Uint8Array> =>
  Rendered.json(describeInterface({ name: config.name, version, base: links.base, prose }, routes))
