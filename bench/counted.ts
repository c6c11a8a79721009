/** Serves the sample board from the sources, with or without counting visits. */
import { Board } from '../src/board.ts'
import { fillWithSample } from '../src/cli/sample.ts'
import { Log } from '../src/http/log.ts'
import { createApp } from '../src/server/app.ts'
import { Listener } from '../src/server/listener.ts'
import { readConfig } from '../test/helpers/config.ts'

export interface Counted {
  readonly folder: string
  readonly isCounting: boolean
}

if (import.meta.main) {
  const { folder, isCounting } = (await Bun.stdin.json()) as Counted // written by servers.ts
  const config = readConfig(['--data', folder, '--port', '0'], {})
  const log = new Log({ write: () => {}, flush: () => {} }, 'json', 'info', Date.now)
  const listener = new Listener(config)
  const board = await Board.open(config, Date.now, log, 'https://board.example.com')
  await fillWithSample(board)
  listener.serve((isCounting ? createApp(board, listener) : createApp(board, listener, () => {})).fetch)
  process.stdout.write(`${listener.port}\n`)
}
