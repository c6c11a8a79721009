import { expect, test } from 'bun:test'
import { DAY, HOUR } from '../../src/base/clock.ts'
import { outdated } from '../../src/features/backups/retention.ts'

const NOW = Date.UTC(2026, 10, 21, 3)
const at = (time: number) => ({ time })
const daysAgo = (backups: readonly { time: number }[]) =>
  backups.map(({ time }) => (NOW - time) / DAY).sort((a, b) => a - b)

test('of two years of daily backups, seven days, four weeks and twelve months are kept', () => {
  const all = Array.from({ length: 730 }, (_, days) => at(NOW - days * DAY))
  const removed = new Set(outdated(all))
  const kept = all.filter(backup => !removed.has(backup))
  const days = kept.map(({ time }) => new Date(time).toISOString().slice(0, 10))
  expect(days).toEqual([
    // days; the 15th is the Sunday of a week too
    ...['2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17', '2026-11-16', '2026-11-15'],
    // weeks end on Sundays
    ...['2026-11-08', '2026-11-01'],
    // months
    ...['2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30', '2026-05-31', '2026-04-30'],
    ...['2026-03-31', '2026-02-28', '2026-01-31', '2025-12-31'],
  ])
})

test('pruning every day keeps as many as pruning once', () => {
  let kept: { time: number }[] = []
  for (let day = 500; day >= 0; day--) {
    kept.push(at(NOW - day * DAY))
    const removed = new Set(outdated(kept))
    kept = kept.filter(backup => !removed.has(backup))
  }
  expect(kept.length).toBeGreaterThanOrEqual(7 + 2 + 11)
  expect(daysAgo(kept)[0]).toBe(0)
  // the oldest one is nearly a year old
  expect(daysAgo(kept).at(-1)).toBeGreaterThan(320)
})

test('of several backups on a day, the newest is kept, and gaps make older ones stay', () => {
  const same = [at(NOW), at(NOW - HOUR), at(NOW - 2 * HOUR)]
  expect(outdated(same)).toEqual(same.slice(1))
  const rare = [0, 100, 200, 300].map(days => at(NOW - days * DAY))
  expect(outdated(rare)).toEqual([])
  expect(outdated([])).toEqual([])
})
