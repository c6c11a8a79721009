import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { promises as fs } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LogoFiles } from '../../src/images/logoFiles.ts'

const NAME = /^[0-9a-f]{16}-[0-9a-f]{32}\.webp$/
const LOGO = { bytes: new Uint8Array([1, 2, 3]) }
const OTHER = { bytes: new Uint8Array([4, 5]) }

let data: string
let folder: string
let files: LogoFiles

beforeEach(async () => {
  data = await fs.mkdtemp(join(tmpdir(), 'logofiles-'))
  folder = join(data, 'logos')
  files = await LogoFiles.open(data)
})

afterEach(() => fs.rm(data, { recursive: true }))

const failure = (code: string) => Object.assign(new Error(`${code}: made up`), { code })
const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)
const mode = async (path: string) => (await fs.stat(path)).mode & 0o777

test('reads what was written, also in the next process', async () => {
  const name = await files.write(LOGO)
  expect(name).toMatch(NAME)
  expect(await files.read(name)).toEqual(Buffer.from(LOGO.bytes))
  expect(await (await LogoFiles.open(data)).read(name)).toEqual(Buffer.from(LOGO.bytes))
})

test('stores the same picture twice as two files, and another picture under another hash', async () => {
  const [one, two, other] = [await files.write(LOGO), await files.write(LOGO), await files.write(OTHER)]
  expect(one).not.toBe(two)
  expect(one.slice(0, 16)).toBe(two.slice(0, 16))
  expect(one.slice(0, 16)).not.toBe(other.slice(0, 16))
  await files.remove(one)
  expect(await files.read(two)).toEqual(Buffer.from(LOGO.bytes))
})

test('stores files that only their owner can read', async () => {
  const name = await files.write(LOGO)
  expect(await mode(folder)).toBe(0o700)
  expect(await mode(join(folder, name))).toBe(0o600)
})

test('syncs a file before its rename, and its name before write resolves', async () => {
  const order: string[] = []
  const open = fs.open
  const opening = spyOn(fs, 'open').mockImplementation(async (path, ...rest) => {
    const handle = await open(path, ...rest)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      order.push(path === folder ? 'folder' : 'file')
    }
    return handle
  })
  const rename = fs.rename
  const renaming = spyOn(fs, 'rename').mockImplementation(async (from, to) => {
    await rename(from, to)
    order.push('rename')
  })
  try {
    await files.write(LOGO)
  } finally {
    opening.mockRestore()
    renaming.mockRestore()
  }
  expect(order).toEqual(['file', 'rename', 'folder'])
})

test('leaves nothing if the rename fails, and reports the error', async () => {
  const rename = spyOn(fs, 'rename').mockRejectedValueOnce(failure('EIO'))
  expect(await failureOf(files.write(LOGO))).toMatchObject({ code: 'EIO' })
  rename.mockRestore()
  expect(await fs.readdir(folder)).toEqual([])
})

test.each([
  ['writing', 'file', 'writeFile'],
  ['the sync of the file', 'file', 'sync'],
  ['the sync of the folder', 'folder', 'sync'],
] as const)('refuses a write and leaves nothing if the disk is full at %s', async (_, at, step) => {
  const open = fs.open
  const opening = spyOn(fs, 'open').mockImplementation(async (path, ...rest) => {
    const handle = await open(path, ...rest)
    if ((path === folder) === (at === 'folder')) handle[step] = () => Promise.reject(failure('ENOSPC'))
    return handle
  })
  try {
    expect(await failureOf(files.write(LOGO))).toMatchObject({ name: 'Problem', kind: 'full' })
  } finally {
    opening.mockRestore()
  }
  expect(await fs.readdir(folder)).toEqual([])
})

test('removes a file, and does not fail if it is gone already', async () => {
  const name = await files.write(LOGO)
  await files.remove(name)
  expect(await files.read(name)).toBeUndefined()
  await files.remove(name)
})

test.each([
  '',
  '.',
  '../secret.webp',
  '..%2fsecret.webp',
  '/etc/passwd',
  'logo.webp',
  `${'a'.repeat(16)}-${'b'.repeat(32)}.webp\n`,
  `${'a'.repeat(16)}-${'b'.repeat(32)}.webp\0.png`,
  `../logos/${'a'.repeat(16)}-${'b'.repeat(32)}.webp`,
  `${'a'.repeat(16)}-${'b'.repeat(32)}.webp.tmp`,
  `${'A'.repeat(16)}-${'b'.repeat(32)}.webp`,
])('reads and removes nothing for the invalid name %j', async name => {
  await fs.writeFile(join(data, 'secret.webp'), 'secret')
  await fs.writeFile(join(folder, 'logo.webp'), 'a stray')
  await fs.writeFile(join(folder, `${'a'.repeat(16)}-${'b'.repeat(32)}.webp`), 'a logo')
  await fs.writeFile(join(folder, `${'a'.repeat(16)}-${'b'.repeat(32)}.webp.tmp`), 'unfinished')
  expect(await files.read(name)).toBeUndefined()
  await files.remove(name)
  expect(await fs.readdir(folder)).toHaveLength(3)
  expect(await fs.readdir(data)).toHaveLength(2)
})

test('sweeps only files that no record names, and unfinished ones', async () => {
  const [kept, lost] = [await files.write(LOGO), await files.write(OTHER)]
  const unfinished = `${'a'.repeat(16)}-${'b'.repeat(32)}.webp.tmp`
  await fs.writeFile(join(folder, unfinished), 'half of')
  await fs.writeFile(join(folder, 'notes.txt'), 'not ours')
  await fs.mkdir(join(folder, `${'c'.repeat(16)}-${'d'.repeat(32)}.webp`))
  const swept = await files.removeOrphans(() => [kept, 'no such file.webp'])
  expect(swept.toSorted()).toEqual([lost, unfinished].toSorted())
  expect(await fs.readdir(folder)).toHaveLength(3)
  expect(await files.read(kept)).toEqual(Buffer.from(LOGO.bytes))
})
