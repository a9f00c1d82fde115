/** The longest pause between two tries: a gateway that is back is noticed within it. */
const maxPauseMs = 30_000

/** The longest pause that an answer's Retry-After can ask for; beyond it a person has given up. */
const maxAskedMs = 300_000

/**
 * Says how long to wait before the next try: any time up to a bound that
 * doubles with each failure (full jitter), so that the clients of a gateway
 * that was away don't come back all at once.
 */
export function pause(failures: number, baseMs: number, random: () => number = Math.random): number {
  return random() * Math.min(maxPauseMs, baseMs * 2 ** failures)
}

/** Waits what an answer asked for and then the pause, so that those who were told the same part. */
export function pauseAfter(askedMs: number, failures: number, baseMs: number): number {
  return Math.min(askedMs, maxAskedMs) + pause(failures, baseMs)
}

/** Waits, or ends at once when the signal says so; never throws. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done)
  })
}
