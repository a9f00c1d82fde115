import { expect, test } from 'vitest'
import { pause, pauseAfter, sleep } from '../src/backoff.js'

test('a pause is anywhere up to a bound that doubles and then stays', () => {
  expect(pause(0, 1000, () => 0)).toBe(0)
  expect([0, 1, 2, 3, 10, 5000].map((failures) => pause(failures, 1000, () => 1))).toEqual([1000, 2000, 4000, 8000, 30_000, 30_000])
})

test('what an answer asks for is waited, within reason', () => {
  expect(pauseAfter(7000, 0, 1000)).toBeGreaterThanOrEqual(7000)
  expect(pauseAfter(1e12, 0, 1000)).toBeLessThanOrEqual(301_000)
})

test('a sleep ends with its signal', async () => {
  const ends = new AbortController()
  const sleeping = sleep(1e9, ends.signal)
  ends.abort()
  await sleeping
  await sleep(1e9, ends.signal)
})
