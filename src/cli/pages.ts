import { promises as fs } from 'node:fs'
import { join } from 'node:path'
import { BUILT_IN_FILES } from '../features/pages/customFiles.ts'
import { withFileErrorsAsync } from '../store/storeError.ts'
import { command, CommandError } from './command.ts'

export const pagesCommand = command({
  name: 'pages',
  activity: 'writing the templates',
  summary: "write out the website's templates and style sheet",
  details: `Start your own from them: keep the files that you change, delete the others, and start the board with --pages-dir DIR. For a few changes of the
style, an extra.css in that folder is enough: it is added to the built-in style sheet. Existing files are never replaced.`,
  args: ['DIR'],
  flags: {},
  options: [],
  run: async ({ args: [folder], stdout }) => {
    await withFileErrorsAsync(folder, () => fs.mkdir(folder, { recursive: true }))
    const existing = (await fs.readdir(folder)).filter(name => BUILT_IN_FILES.has(name))
    if (existing.length > 0)
      throw new CommandError(
        `${folder} already has ${existing.join(', ')}. Choose another folder, so that nothing is replaced.`,
      )
    for (const [name, text] of BUILT_IN_FILES)
      await withFileErrorsAsync(folder, () => fs.writeFile(join(folder, name), text, { flag: 'wx' }))
    stdout.write(`Wrote ${BUILT_IN_FILES.size} files to ${folder}. Keep those that you change.\n`)
  },
})
