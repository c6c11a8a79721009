import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeExport } from '../features/exports/lines.ts'
import { LogoFiles } from '../images/logoFiles.ts'
import { syncFolder, writeDurably } from '../store/durable.ts'
import { Store } from '../store/store.ts'
import { withFileErrorsAsync } from '../store/storeError.ts'
import { withWorkFolder } from '../store/workFolder.ts'
import { command } from './command.ts'
import type { Output } from './host.ts'

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
      const source = { store, logos }
      if (file === undefined) await writeExport(source, text => writeAndWait(stdout, text))
      else await withFileErrorsAsync(file, () => writeFile(file, source))
    } finally {
      await store.close()
    }
  },
})

/** Resolves once the text is written, so that a slow reader doesn't make text accumulate in memory. */
const writeAndWait = (output: Output, text: string) =>
  new Promise<void>(resolve => void output.write(text, () => resolve()))

/** Writes a file that gets its name only once it is complete and on disk. */
async function writeFile(path: string, source: Parameters<typeof writeExport>[0]) {
  await withWorkFolder(dirname(path), async folder => {
    const unfinished = join(folder, 'export')
    await writeDurably(unfinished, file => writeExport(source, text => file.writeFile(text)))
    await fs.rename(unfinished, path)
    await syncFolder(dirname(path))
  })
}
