import { networkInterfaces } from 'node:os'
import { errorCode } from '../base/error.ts'
import { baseUrlOf, type Config } from '../config/config.ts'
import { nameOf } from '../config/names.ts'
import type { OptionKey } from '../config/options.ts'
import { DomainListener } from '../server/domainListener.ts'
import { Listener } from '../server/listener.ts'
import { CommandError } from './command.ts'

/** The listening server of a board, with or without its own domain. */
export type BoardListener = Listener | DomainListener

/** Listens on the configured addresses. @throws CommandError with the reason if that isn't possible */
export function listen(config: Config): BoardListener {
  const { domain, port, tlsCert: cert, tlsKey: key } = config
  if (domain) return listenForDomain(config, domain)
  const tls = cert && key && { cert: cert.text, key: key.text }
  return withReasons(
    config.host,
    port,
    'port',
    () => new Listener({ host: config.host, port, ...(tls && { tls }) }),
  )
}

function listenForDomain(config: Config, names: readonly string[]): DomainListener {
  const { httpPort, httpsPort } = config
  const host = config.given.has('host') || hasIPv6() ? config.host : EVERY_IPV4_ADDRESS
  const base = baseUrlOf(config, httpsPort)
  const listener = withReasons(
    host,
    httpPort,
    'httpPort',
    () => new DomainListener({ host, httpPort, httpsPort, names, base }),
  )
  try {
    withReasons(host, httpsPort, 'httpsPort', () => listener.requireFreePort())
    return listener
  } catch (error) {
    void listener.drain()
    throw error
  }
}

const EVERY_IPV4_ADDRESS = '0.0.0.0'

const hasIPv6 = () =>
  Object.values(networkInterfaces()).some(addresses => addresses?.some(({ family }) => family === 'IPv6'))

const REASONS: Readonly<Record<string, (option: string) => string>> = {
  EADDRINUSE: option => `the port is in use. Stop the other program, or choose another ${option}`,
  EADDRNOTAVAIL: () => 'this machine has no such address',
  EACCES: option =>
    `ports below 1024 require privileges. Choose another ${option}, or run "setcap cap_net_bind_service=+ep" on the executable as root`,
}

/** @param option the one that names the port */
function withReasons<T>(host: string, port: number, option: OptionKey, open: () => T): T {
  try {
    return open()
  } catch (error) {
    const reason = REASONS[errorCode(error) ?? '']?.(nameOf(option)) ?? String(error)
    throw new CommandError(`Can't listen on ${host}, port ${port}: ${reason}.`)
  }
}
