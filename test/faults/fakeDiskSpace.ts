/** A preload module that makes every disk look empty. */
import { mock } from 'bun:test'
import * as fs from 'node:fs'

void mock.module('node:fs', () => ({ ...fs, statfsSync: () => ({ bavail: 2 ** 40, bsize: 1 }) }))
