import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answered, Thread } from '../../src/base/thread.ts'

interface Answer extends Answered {
  readonly twice?: number
}

/** Doubles what it is asked; refuses 0, and does not live through -1. */
const PROGRAM = `
self.onmessage = ({ data: { number, ask } }) => {
  if (ask < 0) throw new Error('that was too much')
  const answer = ask === 0 ? { failure: 'no nothing' } : { twice: 2 * ask }
  setTimeout(() => self.postMessage({ ...answer, number }), 20 - ask)
}`

let folder: string
let program: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-thread-'))
  program = join(folder, 'program.js')
  await Bun.write(program, PROGRAM)
})
afterAll(() => rm(folder, { recursive: true }))

const start = (path = program) => new Thread<{ ask: number }, Answer>(path, 'the doubling failed')

describe('A thread', () => {
  test('answers everybody what they asked, in whatever order', async () => {
    const thread = start()
    const answers = await Promise.all([1, 7, 3].map(ask => thread.ask({ ask })))
    expect(answers).toEqual([{ twice: 2 }, { twice: 14 }, { twice: 6 }])
    thread.end()
  })

  test('that can not answer says so, and goes on', async () => {
    const thread = start()
    expect(thread.ask({ ask: 0 })).rejects.toThrow('the doubling failed: no nothing')
    expect(await thread.ask({ ask: 1 })).toEqual({ twice: 2 })
    expect(thread.hasEnded).toBeFalse()
    thread.end()
  })

  test.each([
    ['dies', () => start().ask({ ask: -1 }), 'that was too much'],
    ['has no program', () => start(join(folder, 'none.js')).ask({ ask: 1 }), 'none.js'],
  ])('that %s leaves nobody waiting', async (_, ask, reason) => {
    expect(ask()).rejects.toThrow(reason)
  })

  test('that was ended answers nobody, neither who waits nor who comes later', async () => {
    const thread = start()
    const waiting = thread.ask({ ask: 1 })
    thread.end()
    expect(thread.hasEnded).toBeTrue()
    expect(waiting).rejects.toThrow('it was closed')
    expect(thread.ask({ ask: 1 })).rejects.toThrow('it was closed')
  })
})
