import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Corkboard } from '../helpers/process.ts'
import { Load, serve } from './load.ts'
import { seeded } from './seeded.ts'

/** A server with the records that jobs refer to, in a folder of its own. */
export class PreparedServer {
  private constructor(
    private readonly folder: string,
    private readonly server: Corkboard,
    readonly url: string,
  ) {}

  static async start(): Promise<PreparedServer> {
    const folder = await mkdtemp(join(tmpdir(), 'corkboard-prepared-'))
    const server = serve(folder)
    const url = await server.url()
    await new Load(url, seeded(1)).prepare()
    return new PreparedServer(folder, server, url)
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  /** The memory that the server uses, in bytes. */
  get memory(): number {
    const status = readFileSync(`/proc/${this.server.pid}/status`, 'utf8')
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
  }

  async stop(): Promise<void> {
    await this.server.end('SIGTERM')
    await rm(this.folder, { recursive: true })
  }
}
