import { licenses } from '../config/version.ts'
import { command, CommandError } from './command.ts'

export const licensesCommand = command({
  name: 'licenses',
  activity: 'printing the licences',
  summary: 'print the licences of everything that the executable contains',
  details: 'Its libraries, fonts, country data and runtime, with the texts of their licences.',
  args: [],
  flags: {},
  options: [],
  run: async ({ stdout }) => {
    if (licenses === undefined)
      throw new CommandError(
        'The licences are collected when the executable is built: run npm run build first.',
      )
    stdout.write(licenses)
  },
})
