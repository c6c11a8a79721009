import { expect, test } from 'bun:test'
import { AcmeError, parseProblem } from '../../src/tls/acmeProblem.ts'
import { explain } from '../../src/tls/problemText.ts'
import { START } from '../helpers/board.ts'

const NAMES = ['jobs.example', 'www.jobs.example']
const attempt = { authority: 'ca.example', names: NAMES, clock: () => START }

const acme = (type: string, name?: string, detail?: string) =>
  new AcmeError([parseProblem({ type: `urn:ietf:params:acme:error:${type}`, detail }, name)])
const network = (code: string) => Object.assign(new Error('no'), { code })
const UNREACHABLE = "The certificate authority ca.example can't be reached: "

test.each<[unknown, string]>([
  [acme('dns', 'jobs.example'), 'jobs.example has no address in the DNS. Add'],
  [
    acme('connection', 'jobs.example'),
    "The certificate authority can't connect to port 80 of jobs.example. Check",
  ],
  [acme('connection', 'jobs.example', 'DNS problem: NXDOMAIN looking up A'), 'jobs.example has no address'],
  [acme('unauthorized', 'jobs.example'), "jobs.example doesn't lead to this server: something else answers"],
  [
    acme('unauthorized', undefined, 'account is deactivated.'),
    'The certificate authority refuses the order. ca.example says: “account is deactivated”.',
  ],
  [
    acme('rejectedIdentifier'),
    "The certificate authority doesn't issue certificates for jobs.example, www.jobs.example.",
  ],
  [acme('externalAccountRequired'), 'The certificate authority requires an account that was opened with it'],
  [acme('invalidContact'), 'The certificate authority refuses the address of --acme-email.'],
  [
    acme('unheardOf', undefined, 'two\n lines'),
    'The certificate authority refuses the order. ca.example says: “two lines”.',
  ],
  [new AcmeError([parseProblem('x')]), 'The certificate authority refuses the order.'],
  [network('ENOTFOUND'), `${UNREACHABLE}its name can't be resolved.`],
  [new DOMException('late', 'TimeoutError'), `${UNREACHABLE}it doesn't answer.`],
  [network('ERR_CANCELED'), `${UNREACHABLE}it takes too long.`],
  [
    network('CERT_HAS_EXPIRED'),
    "The certificate of the authority ca.example isn't valid at the time of this machine, 10 January 2026 at 18:21 UTC.",
  ],
  [
    network('DEPTH_ZERO_SELF_SIGNED_CERT'),
    "The certificate of the authority ca.example isn't trusted (no). For an authority of your own, use --acme-ca.",
  ],
  [new Error('Anything else'), 'Anything else.'],
])('explains a failure (%#)', (error, text) => {
  expect(explain(error, attempt)).toStartWith(text)
})
