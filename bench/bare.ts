/** The baseline: a server that sends prepared bytes and does nothing else. */
export interface Bare {
  /** The JSON body for each path with its query. */
  readonly responses: Readonly<Record<string, string>>
}

if (import.meta.main) {
  const { responses } = (await Bun.stdin.json()) as Bare // written by servers.ts
  const bodies = new Map(Object.entries(responses).map(([path, text]) => [path, new Blob([text])]))
  const headers = { 'content-type': 'application/json' }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const path = url.slice(url.indexOf('/', 'http://'.length))
      return new Response(bodies.get(path) ?? null, { headers })
    },
  })
  process.stdout.write(`${server.port}\n`)
}
