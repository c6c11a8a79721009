import { domains } from './domains.ts'
import * as files from './fileValues.ts'
import type { Option } from './optionType.ts'
import * as values from './values.ts'

/** The options of HTTPS. */
export const TLS_OPTIONS = {
  domain: {
    value: 'NAMES',
    help: 'serve HTTPS with its own certificate; all names redirect to the first',
    parse: domains,
  },
  httpsPort: {
    value: 'PORT',
    help: 'the port for HTTPS with --domain',
    parse: values.publicPort,
    default: '443',
  },
  httpPort: {
    value: 'PORT',
    help: 'the port for redirects and challenges; people reach it as port 80',
    parse: values.publicPort,
    default: '80',
  },
  acmeEmail: {
    value: 'EMAIL',
    help: 'where the certificate authority can reach you',
    parse: values.email,
    defaultHelp: 'none',
  },
  acmeDirectory: {
    value: 'URL',
    help: 'the ACME directory of the certificate authority',
    parse: values.httpsUrl,
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    defaultHelp: "Let's Encrypt",
  },
  acmeCa: {
    value: 'FILE',
    help: 'which certificate of the authority to trust, as PEM',
    parse: files.certificateFile,
    defaultHelp: 'those of the system',
    isPath: true,
  },
  tlsCert: {
    value: 'FILE',
    help: 'the certificate for HTTPS, as PEM; read again when it changes',
    parse: files.textFile,
    defaultHelp: 'plain HTTP',
    isPath: true,
  },
  tlsKey: {
    value: 'FILE',
    help: 'the private key of the certificate, as PEM',
    parse: files.textFile,
    isPath: true,
  },
} satisfies Record<string, Option>
