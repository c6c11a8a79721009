/** Preloaded, it makes a program that believes every disk to be empty. */
import { mock } from 'bun:test'
import * as fs from 'node:fs'

void mock.module('node:fs', () => ({ ...fs, statfsSync: () => ({ bavail: 2 ** 40, bsize: 1 }) }))
