import { authorize, type Connection } from './client.js'
import type { Schemas } from './events.js'
import { refusal } from './problem.js'
import type { Frame } from './sse.js'
import { address, type Opening, type Transport } from './transport.js'

/**
 * Frames that may wait for a reader that is slow, as EventSource can't be told
 * to wait: beyond them the connection ends, and the reader comes back behind
 * the last one that it took.
 */
const maxWaiting = 10_000

/** What a platform's EventSource is. */
export type EventSourceConstructor = new (url: string) => EventSourceLike

/** The part of EventSource that is used. */
export interface EventSourceLike {
  close(): void
  addEventListener(type: string, listener: (event: { data?: string; lastEventId?: string }) => void): void
}

/**
 * Reads streams by EventSource, which can't send a key: each connection is
 * opened by a ticket that was made for it. Give a constructor where the
 * platform has none. An EventSource does not show heartbeats, so a connection
 * that died silently is only noticed when the platform notices.
 */
export function overTickets(constructor?: EventSourceConstructor): Transport {
  return async function* (connection: Connection, opening: Opening): AsyncGenerator<Frame, void> {
    const ticket = await makeTicket(connection, opening)
    const query = new URLSearchParams(opening.query)
    if (opening.cursor !== null) query.set('after', opening.cursor)
    const EventSource = constructor ?? (globalThis.EventSource as EventSourceConstructor)
    const source = new Source(new EventSource(address(connection, ticket.url, query)), opening)
    try {
      yield* source.frames()
    } finally {
      source.end()
    }
  }
}

async function makeTicket(connection: Connection, opening: Opening): Promise<Schemas['StreamTicket']> {
  const headers = new Headers()
  await authorize(connection, headers)
  const send = connection.fetch ?? ((request: Request) => fetch(request))
  const url = address(connection, opening.ticketPath, new URLSearchParams())
  const response = await send(new Request(url, { method: 'POST', headers, signal: opening.signal }))
  if (!response.ok) throw await refusal(response)
  return response.json()
}

/** An EventSource as a queue that is read. */
class Source {
  private readonly waiting: Frame[] = []
  private ended = false
  private failed: Error | null = new Error('the stream could not be opened')
  private wake: () => void = () => undefined

  constructor(
    private readonly source: EventSourceLike,
    private readonly opening: Opening,
  ) {
    source.addEventListener('open', () => {
      this.failed = null
      opening.opened()
    })
    source.addEventListener('error', this.end)
    opening.signal.addEventListener('abort', this.end)
    if (opening.signal.aborted) this.end()
    for (const event of opening.types) this.listen(event)
  }

  async *frames(): AsyncGenerator<Frame, void> {
    for (;;) {
      const frame = this.waiting.shift()
      if (frame) yield frame
      else if (this.ended) break
      else await new Promise<void>((resolve) => (this.wake = resolve))
    }
    if (this.failed) throw this.failed
  }

  /** Ends the connection; what waits is still read. Its own reconnecting would use the ticket twice. */
  readonly end = () => {
    this.ended = true
    this.source.close()
    this.opening.signal.removeEventListener('abort', this.end)
    this.wake()
  }

  private listen(event: string): void {
    this.source.addEventListener(event, ({ data, lastEventId }) => {
      if (this.ended) return
      const id = event.startsWith('stream.') ? null : (lastEventId ?? null)
      this.waiting.push({ id, event, data: data ?? '' })
      if (this.waiting.length > maxWaiting) this.end()
      else this.wake()
    })
  }
}
