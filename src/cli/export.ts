import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { LogoFiles } from '../images/logoFiles.ts'
import { syncFolder, writeDurably } from '../store/durable.ts'
import { Store } from '../store/store.ts'
import { withFileErrorsAsync } from '../store/storeError.ts'
import { withWorkFolder } from '../store/workFolder.ts'
import { command } from './command.ts'
import { exportLines, takeSnapshot } from './exportLines.ts'
import type { Output } from './host.ts'

/** The minimum length of the chunks in which lines are written, in characters. */
const CHUNK_LENGTH = 64 * 1024

export const exportCommand = command({
  name: 'export',
  activity: 'exporting the board',
  summary: 'export the whole board as JSON Lines, which import can read',
  details: `Safe on a running server. Without FILE, it writes to standard output. The export contains everything except
passwords, statistics and the links in e-mails; logos are in base64.`,
  args: ['[FILE]'],
  flags: {},
  options: ['data'],
  run: async ({ args: [file], config, stdout }) => {
    const store = await Store.open(config.data, { shared: true })
    try {
      const logos = await LogoFiles.open(config.data)
      const lock = await logos.preventRemoval()
      try {
        const text = encode(exportLines(takeSnapshot(store.read), name => logos.read(name)))
        if (file === undefined) for await (const part of text) await writeAndWait(stdout, part)
        else await withFileErrorsAsync(file, () => writeFile(file, text))
      } finally {
        lock.release()
      }
    } finally {
      await store.close()
    }
  },
})

async function* encode(lines: AsyncIterable<object>): AsyncGenerator<string> {
  let text = ''
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`
    if (text.length < CHUNK_LENGTH) continue
    yield text
    text = ''
  }
  yield text
}

/** Resolves once the text is written, so that a slow reader doesn't make text accumulate in memory. */
const writeAndWait = (output: Output, text: string) =>
  new Promise<void>(resolve => void output.write(text, () => resolve()))

/** Writes a file that gets its name only once it is complete and on disk. */
async function writeFile(path: string, text: AsyncIterable<string>) {
  await withWorkFolder(dirname(path), async folder => {
    const unfinished = join(folder, 'export')
    await writeDurably(unfinished, async file => {
      for await (const part of text) await file.writeFile(part)
    })
    await fs.rename(unfinished, path)
    await syncFolder(dirname(path))
  })
}
