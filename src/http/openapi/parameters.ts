import { SOURCE_NAME } from '../../base/scopes.ts'
import { MAX_ID } from '../paths.ts'
import type { Json } from './schemas.ts'

/** The header with which a client names a request, in order to repeat it. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** The parameters in paths and headers, by name. */
export const PARAMETERS: Readonly<Record<string, Json>> = {
  id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id.',
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID },
    example: 17,
  },
  token: {
    name: 'token',
    in: 'path',
    required: true,
    description: 'The token from an e-mail.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
    example: 'pFKx1vXhTj2m0wqk',
  },
  name: {
    name: 'name',
    in: 'path',
    required: true,
    description: 'The name of the file.',
    schema: { type: 'string' },
    example: '0123456789abcdef-0123456789abcdef0123456789abcdef.webp',
  },
  source: {
    name: 'source',
    in: 'path',
    required: true,
    description: 'The name of the source.',
    schema: { type: 'string', pattern: `^${SOURCE_NAME}$` },
    example: 'harbour-ats',
  },
  external_id: {
    name: 'external_id',
    in: 'path',
    required: true,
    description: "The job's id in the source, percent-encoded.",
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'REQ-1042',
  },
  [IDEMPOTENCY_KEY]: {
    name: IDEMPOTENCY_KEY,
    in: 'header',
    description:
      'Any text of up to 255 printable ASCII characters. For 24 hours, the same request of the same account with the same key gets the same response, and is not carried out again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    example: '2026-01-10-nightly',
  },
}
