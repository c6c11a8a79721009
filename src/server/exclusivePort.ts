import { SECOND } from '../base/clock.ts'
import { errorCode } from '../base/error.ts'

/** In milliseconds, how long another board may take between its check of the port and listening on it. */
const PATIENCE = SECOND
const INTERVAL = 1

/**
 * Listens on a port that no other program uses. A socket that shares its port, as a swap of certificates requires, could
 * also join that of another board, and each would get some of the requests.
 * @param open listens on the port, and may share it
 * @throws Error with the code EADDRINUSE if another program listens on the port
 */
export function listenAlone<T>(host: string, port: number, open: () => T): T {
  // The system never shares a port that it chooses itself.
  if (port === 0) return open()
  const turn = takeTurn(port)
  try {
    requireFree(host, port)
    return open()
  } finally {
    turn?.stop(true)
  }
}

/** @throws Error with the code EADDRINUSE if a program listens on the port, or another error if none could */
export function requireFree(host: string, port: number): void {
  void Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response() }).stop(true)
}

/**
 * Prevents another board from checking the same port until this one listens. Only Linux shares ports, and has sockets whose
 * names are no files: they disappear with the process.
 * @returns undefined if that isn't possible
 */
function takeTurn(port: number): { stop(closeActive: boolean): void } | undefined {
  if (process.platform !== 'linux') return undefined
  for (let waited = 0; waited < PATIENCE; waited += INTERVAL) {
    try {
      return Bun.listen({ unix: `\0corkboard-port-${port}`, socket: { data: () => {} } })
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE') return undefined
      Bun.sleepSync(INTERVAL)
    }
  }
  return undefined
}
