import * as values from './values.ts'

/** The options of HTTPS. */
export const TLS_OPTIONS = {
  tlsCert: {
    value: 'FILE',
    help: 'the certificate for HTTPS, as PEM; read again when it changes',
    parse: values.textFile,
    defaultHelp: 'plain HTTP',
  },
  tlsKey: { value: 'FILE', help: 'the private key of the certificate, as PEM', parse: values.textFile },
}
