import { Readable } from 'node:stream'
import type { Host } from '../../src/cli/host.ts'
import type { Environment } from '../../src/config/environment.ts'
import { START } from './board.ts'

interface World {
  readonly variables?: Environment
  /** The contents of standard input, which is not a terminal. */
  readonly stdin?: string | Uint8Array
}

/** The environment of a command without a process. Its output is recorded. */
export class TestHost implements Host {
  out = ''
  err = ''
  readonly variables: Environment
  readonly stdin: Host['stdin']
  readonly stdout = {
    write: (text: string, onWritten?: () => void) => {
      this.out += text
      onWritten?.()
    },
  }
  readonly stderr = { write: (text: string) => (this.err += text) }
  readonly clock = () => START
  readonly onStop = () => {}
  readonly onReload = () => {}
  readonly onUnhandled = () => {}
  readonly serviceManager = { ready: () => {}, stopping: () => {} }
  readonly exit = () => {}

  constructor({ variables = {}, stdin = '' }: World = {}) {
    this.variables = variables
    this.stdin = Readable.from(stdin === '' ? [] : [Buffer.from(stdin)])
  }
}
