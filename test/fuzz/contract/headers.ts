import * as fc from 'fast-check'
import { BASE_URL } from '../../helpers/board.ts'
import type { Header } from '../request.ts'
import { SECRET } from './texts.ts'

/** The framing of a request on a socket: plain, chunked, or with a wrong length. */
export type Framing = 'none' | 'wire' | 'chunked' | 'short' | 'long'

export const framing: fc.Arbitrary<Framing> = fc.oneof(
  { weight: 70, arbitrary: fc.constant<Framing>('none') },
  { weight: 7, arbitrary: fc.constant<Framing>('wire') },
  { weight: 1, arbitrary: fc.constantFrom<Framing>('chunked', 'short', 'long') },
)

const header = (name: string, ...values: readonly string[]) =>
  fc.constantFrom(...values).map((value): Header => [name, value])

const browser = header(
  'user-agent',
  'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  'curl/8',
  'Googlebot/2.1',
  '',
)

/** Headers that change at most the format of a response. */
const harmless = fc.oneof(
  browser,
  header(
    'accept',
    '*/*',
    'application/json',
    'text/html,*/*;q=0.8',
    'text/html',
    'image/png',
    'garbage;;q=x,,',
  ),
  header('accept-encoding', 'gzip', 'zstd', 'br', 'gzip, zstd', 'identity;q=0', '*', 'gzip;q=0, zstd;q=nan'),
  header('if-none-match', '*', '"x"', 'W/"x"', 'x, W/"y",', ''),
  header('origin', BASE_URL),
  header('sec-fetch-site', 'none', 'same-origin', 'x'),
  header('referer', 'https://search.example/?q=jobs', 'no url', 'https://[/', `https://${'x'.repeat(2000)}`),
  header('cookie', 'a=b', '='),
  header('range', 'bytes=0-0', 'x'),
  header('x-http-method-override', 'DELETE'),
  header('x-request-id', 'mine', ''),
  header('access-control-request-method', 'PUT', 'POST', ''),
  header('sec-fetch-dest', 'empty', 'document'),
)

export const harmlessHeaders: fc.Arbitrary<readonly Header[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(harmless, { minLength: 1, maxLength: 3 }) },
)

const odd = fc.oneof(
  // the only error that any request without a body can have
  { weight: 4, arbitrary: header('host', 'elsewhere.example', 'ä', '[', 'a b', '') },
  { weight: 2, arbitrary: header('origin', 'https://elsewhere.example', 'null', 'x') },
  { weight: 1, arbitrary: header('sec-fetch-site', 'cross-site', 'same-site') },
  { weight: 1, arbitrary: header('content-encoding', 'gzip', 'identity', 'IDENTITY', 'x', '') },
  { weight: 1, arbitrary: header('content-type', 'text/plain', 'application/json', '') },
  {
    weight: 1,
    arbitrary: header(
      'x-forwarded-for',
      'garbage',
      '::1',
      '1.2.3.4, 5.6.7.8',
      '[2001:db8::1]:80',
      ',,',
      '\u00ff',
    ),
  },
  { weight: 1, arbitrary: header('if-none-match', '\u00ff') },
  { weight: 1, arbitrary: header('accept', '\u00e4/\u00fc', 'x'.repeat(2000)) },
  { weight: 1, arbitrary: header('user-agent', '\u00ff\u00fe') },
  { weight: 1, arbitrary: header('x-unknown', 'x'.repeat(4000)) },
)

export const oddHeaders: fc.Arbitrary<readonly Header[]> = fc.array(fc.oneof(harmless, odd), { maxLength: 4 })

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Values of an `Authorization` header, some of them valid. */
export const oddAuthorization: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic =',
    'Basic AA==',
    'Bearer abc',
    'Digest username="a"',
    `Basic ${base64('no colon')}`,
    `Basic ${base64(':')}`,
    `Basic ${base64(`admin@example.com:${SECRET}`)}`,
    `Basic ${base64('admin@example.com:\ud800')}`,
    `Basic ${base64(`admin@example.com:${'x'.repeat(300)}`)}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
    `basic   ${base64('ADMIN@example.com:correct horse').replaceAll('=', '')}`,
    `BASIC ${base64('owner@example.com:correct horse')} `,
  ),
  fc.uint8Array({ maxLength: 40 }).map(bytes => `Basic ${Buffer.from(bytes).toString('base64')}`),
)
