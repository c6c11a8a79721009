/** The least that could be measured against: routes that answer bytes made beforehand, and nothing else. */
export interface Bare {
  /** What each path with its query answers, as JSON. */
  readonly answers: Readonly<Record<string, string>>
}

if (import.meta.main) {
  const { answers } = (await Bun.stdin.json()) as Bare // written by servers.ts
  const bodies = new Map(Object.entries(answers).map(([path, text]) => [path, new Blob([text])]))
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
