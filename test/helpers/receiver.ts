import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { until } from './process.ts'

/** A message that a receiver got. */
export interface ReceivedMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly id: string
  readonly body: {
    readonly type: string
    readonly timestamp: string
    readonly data: {
      readonly seq: number
      readonly id: number
      readonly data: Readonly<Record<string, unknown>> | null
      readonly shortened?: readonly string[]
    }
  }
}

/** A receiver of webhooks on this machine. */
export class TestReceiver {
  readonly messages: ReceivedMessage[] = []
  /** Returns the response to the next message. */
  respond: (message: ReceivedMessage) => Response | Promise<Response> = () => new Response()
  private readonly server: Bun.Server<undefined>

  constructor() {
    this.server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async request => {
        const text = await request.text()
        const headers = Object.fromEntries(request.headers)
        const message = { headers, text, id: headers['webhook-id'] ?? '', body: JSON.parse(text) }
        this.messages.push(message)
        return await this.respond(message)
      },
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/hook`
  }

  /** Waits for this number of messages in total. */
  async wait(count: number): Promise<void> {
    await until(() => this.messages.length >= count)
  }

  get types(): string[] {
    return this.messages.map(({ body }) => body.type)
  }

  get seqs(): number[] {
    return this.messages.map(({ body }) => body.data.seq)
  }

  stop(): Promise<void> {
    return this.server.stop(true)
  }
}

/** Verifies a message by both libraries. @throws an error if the signature or the time is wrong */
export function verify(secret: string, { headers, text }: Pick<ReceivedMessage, 'headers' | 'text'>): void {
  new StandardWebhook(secret).verify(text, headers)
  new SvixWebhook(secret).verify(text, headers)
}
