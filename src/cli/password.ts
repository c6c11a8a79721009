import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { passwordError } from '../base/password.ts'
import { Problem } from '../base/problem.ts'
import { decodeUtf8 } from '../base/text.ts'
import { UsageError } from '../config/errors.ts'
import type { Host } from './host.ts'

/** The flag of every command that takes a password. */
export const PASSWORD_STDIN = 'password-stdin'
export const PASSWORD_FLAG = {
  [PASSWORD_STDIN]: { help: 'read the password, one line, from standard input' },
} as const

/** The maximum length of the input in bytes, far more than a password may have. */
const MAX_STDIN = 4096

type PromptStreams = Pick<Host, 'stdin' | 'stderr'>

/**
 * Reads a new password: from a terminal, where it is entered twice and not shown, or from standard input.
 * @throws UsageError if there is no terminal, Problem if the password isn't allowed
 */
export async function readNewPassword(host: PromptStreams, fromStdin: boolean): Promise<string> {
  if (!fromStdin && !host.stdin.isTTY)
    throw new UsageError([`There is no terminal to ask for the password. Pass it with --${PASSWORD_STDIN}.`])
  return fromStdin ? requireValid(await readLine(host.stdin)) : promptTwice(host)
}

function requireValid(password: string): string {
  const error = passwordError(password)
  if (error !== undefined) throw new Problem('invalid', `The password ${error}.`)
  return password
}

async function readLine(stdin: Host['stdin']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (size > MAX_STDIN || (stdin.isTTY && bytes.includes('\n'))) break
  }
  const text = decodeUtf8(Buffer.concat(chunks), 'password').replace(/\r?\n$/, '')
  if (/[\r\n]/.test(text)) throw new Problem('invalid', 'Standard input has more than one line.')
  return text
}

async function promptTwice({ stdin, stderr }: PromptStreams): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const line = createInterface({ input: stdin, output: silent, terminal: true })
  line.on('SIGINT', () => line.close())
  const answers = line[Symbol.asyncIterator]()
  const ask = async (question: string) => {
    stderr.write(question)
    const { value, done } = await answers.next()
    stderr.write('\n')
    if (done) throw new Problem('invalid', 'No password was entered.')
    return value
  }
  try {
    const password = requireValid(await ask('Password: '))
    if ((await ask('Repeat password: ')) !== password)
      throw new Problem('invalid', "The passwords don't match.")
    return password
  } finally {
    line.close()
  }
}
