import { pauseAfter, sleep } from './backoff.js'
import { retryAfter } from './problem.js'

type Send = (request: Request) => Promise<Response>

/** Tries in all: enough for a replica that is being replaced, over in seconds for a person who waits. */
const tries = 4

/** The bound of the first pause. */
const basePauseMs = 250

/** What says that the same request may succeed later: the gateway's 503, and what stands before it. */
const passing: readonly number[] = [429, 502, 503, 504]

/**
 * Repeats requests that got no answer or one that says to come back. A POST
 * bears an Idempotency-Key, all others but PATCH are idempotent: that one may
 * stand although nothing says so, and a paragraph would be appended twice.
 */
export function retrying(send: Send): Send {
  return async (request) => {
    if (request.method === 'PATCH') return send(request)
    if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
      request.headers.set('Idempotency-Key', randomKey())
    }
    for (let failures = 0; ; failures++) {
      const last = failures + 1 === tries
      let asked = 0
      try {
        const response = await send(request.clone())
        if (last || !passing.includes(response.status)) return response
        await response.body?.cancel()
        asked = retryAfter(response)
      } catch (error) {
        if (last || request.signal.aborted) throw error
      }
      await sleep(pauseAfter(asked, failures, basePauseMs), request.signal)
    }
  }
}

/** Makes a key of 128 random bits; unlike randomUUID it is there without TLS, too. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
