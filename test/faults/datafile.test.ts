import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from '../../src/store/store.ts'
import { PATIENCE, report, rounds } from './duration.ts'
import { newJob } from './rows.ts'
import { type Random, seeded } from './seeded.ts'

const PAGE = 4096
const HEAD = 2 * PAGE

let folder: string
let sound: Buffer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corkboard-datafile-'))
  const store = await Store.open(join(folder, 'sound'))
  for (let turn = 0; turn < 4; turn++)
    await store.write(tables => {
      if (turn === 0) for (const table of [tables.categories, tables.terms]) table.insert({ name: 'one' })
      for (let job = 0; job < 60; job++)
        tables.jobs.insert(newJob(`Job ${turn}-${job}`, job % 7 === 0 ? 9000 : 300))
    })
  await store.close()
  sound = readFileSync(join(folder, 'sound/data.mdb'))
})

afterAll(() => rm(folder, { recursive: true }))

/** Kinds of damage to a data file. */
const HARM: Record<string, (file: Buffer, random: Random) => Buffer> = {
  'a random byte in its head': (file, random) => scramble(file, 1, HEAD, random),
  'some random bytes in its head': (file, random) => scramble(file, 40, HEAD, random),
  'a wrong number in its head': (file, random) => {
    const at = 24 + 8 * random(17) + PAGE * random(2)
    file.writeBigUInt64LE(BigInt(random(2 ** 40)), at)
    return file
  },
  'random meta pages': (file, random) => scramble(file, HEAD, HEAD, random),
  'a wrong root in both meta pages': (file, random) => {
    const root = BigInt(random(file.length / PAGE))
    for (const head of [0, PAGE]) file.writeBigUInt64LE(root, head + (random(2) === 0 ? 88 : 136))
    return file
  },
  'random bytes anywhere': (file, random) => scramble(file, 200, file.length, random),
  'a page of noise': (file, random) => {
    const page = PAGE * random(file.length / PAGE)
    for (let at = page; at < page + PAGE; at++) file.writeUInt8(random(256), at)
    return file
  },
  'two swapped pages': (file, random) => {
    const [one, other] = [PAGE * random(file.length / PAGE), PAGE * random(file.length / PAGE)]
    const copy = Buffer.from(file.subarray(one, one + PAGE))
    file.copy(file, one, other, other + PAGE)
    copy.copy(file, other)
    return file
  },
  'a missing end': (file, random) => file.subarray(0, random(file.length)),
  'only noise': (file, random) => scramble(file, file.length, file.length, random),
}

function scramble(file: Buffer, count: number, within: number, random: Random): Buffer {
  for (let time = 0; time < count; time++)
    file.writeUInt8(random(256), count === within ? time : random(within))
  return file
}

/** Opens damaged files, and returns the result of each, and how the process ended. */
async function openHarmed(how: 'checked' | 'unchecked', harm: keyof typeof HARM, count: number) {
  const random = seeded(count)
  const place = join(folder, crypto.randomUUID())
  const folders = Array.from({ length: count }, (_, number) => join(place, String(number)))
  for (const data of folders) {
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'data.mdb'), HARM[harm]?.(Buffer.from(sound), random) ?? '')
  }
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'opener.ts'), how, ...folders], {
    stderr: 'pipe',
  })
  const out = await new Response(child.stdout).text()
  await child.exited
  await rm(place, { recursive: true })
  return {
    signal: child.signalCode,
    results: out
      .split('\n')
      .filter(Boolean)
      .map(line => line.split('\t')[1] ?? ''),
  }
}

describe('a data file with', () => {
  test.each(Object.keys(HARM))(
    '%s is refused in a sentence, or read, and never ends the process',
    async harm => {
      const count = rounds(12, 1000)
      const { signal, results } = await openHarmed('checked', harm, count)
      expect(signal).toBeNull()
      expect(results).toHaveLength(count)
      expect(results.filter(result => !/^(opened|refused: .*\.|failed: .*)$/.test(result))).toEqual([])
      report(`${harm}: ${count} files, ${results.filter(result => result !== 'opened').length} refused`)
    },
    PATIENCE,
  )

  test.each(['random meta pages', 'a missing end', 'a wrong root in both meta pages'])(
    '%s would crash the process or be accepted without the check',
    async harm => {
      const { signal, results } = await openHarmed('unchecked', harm, 12)
      expect(signal ?? results.find(result => result.startsWith('read'))).toBeString()
    },
  )
})
