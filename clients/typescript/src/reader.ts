import { pause, pauseAfter, sleep } from './backoff.js'
import type { Connection } from './client.js'
import type { SessionEvent, TenantEvent } from './events.js'
import { overFetch } from './fetch-transport.js'
import { sessionEventTypes, tenantEventTypes } from './generated/events.js'
import { GatewayError } from './problem.js'
import type { Frame } from './sse.js'
import type { Transport } from './transport.js'

/** How a stream is doing. */
export type Connecting =
  | { phase: 'connecting' }
  | { phase: 'open' }
  /** It broke and is opened again at `until`, in milliseconds since 1970. */
  | { phase: 'waiting'; until: number; cause: Error | null }

/** Where a stream begins and what of it is wanted. */
export interface StreamOptions {
  /** A cursor to go on behind; `latest` is live only. */
  after?: string
  /** Prefixes of types, as `approval.`; all if left out. */
  types?: readonly string[]
  signal?: AbortSignal
  /** How to connect: by fetch if left out. */
  transport?: Transport
  /** Is told how the stream is doing. */
  onConnecting?: (now: Connecting) => void
}

/** A stream that the gateway ended for good. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'

  constructor(readonly reason: 'gone' | 'corrupt') {
    super(reason === 'gone' ? 'the session is no more' : "the log holds an event that can't be sent")
  }
}

/**
 * Follows a session until it is closed, the signal ends it or the gateway
 * refuses. It comes back behind its cursor by itself: nothing is missing and
 * nothing comes twice.
 */
export function sessionEvents(connection: Connection, sid: string, options: StreamOptions = {}): AsyncGenerator<SessionEvent, void> {
  const path = `/v1/sessions/${encodeURIComponent(sid)}`
  return new Follower<SessionEvent>(connection, options, {
    path: `${path}/events`,
    ticketPath: `${path}/stream-tickets`,
    types: sessionEventTypes,
    last: 'session.closed',
  }).events()
}

/** Follows all sessions of the tenant, from a `tenant.snapshot` on. It comes back as [sessionEvents] does. */
export function tenantEvents(connection: Connection, options: StreamOptions = {}): AsyncGenerator<TenantEvent, void> {
  return new Follower<TenantEvent>(connection, options, {
    path: '/v1/events',
    ticketPath: '/v1/stream-tickets',
    types: tenantEventTypes,
    last: null,
  }).events()
}

interface Source {
  path: string
  ticketPath: string
  types: readonly string[]
  last: string | null // the type of the event that ends the stream
}

/** The bound of the first pause, until the gateway has said when to come back. */
const basePauseMs = 1000

/** One stream across its connections. */
class Follower<E extends SessionEvent | TenantEvent> {
  private cursor: string | null = null
  private hintMs: number | null = null
  private failures = 0
  private over = false

  constructor(
    private readonly connection: Connection,
    private readonly options: StreamOptions,
    private readonly source: Source,
  ) {}

  async *events(): AsyncGenerator<E, void> {
    const ends = new AbortController() // also where the consumer has had enough
    const stop = () => ends.abort()
    this.options.signal?.addEventListener('abort', stop)
    if (this.options.signal?.aborted) stop()
    try {
      while (!ends.signal.aborted) {
        const cause = yield* this.once(ends.signal)
        if (this.over || ends.signal.aborted) return
        await this.rest(cause, ends.signal)
      }
    } finally {
      this.options.signal?.removeEventListener('abort', stop)
      stop()
    }
  }

  /** Reads one connection to its end; gives what broke it, and throws what coming back does not mend. */
  private async *once(signal: AbortSignal): AsyncGenerator<E, Error | null> {
    this.tell({ phase: 'connecting' })
    try {
      for await (const frame of this.open(signal)) {
        const event = this.take(frame)
        if (!event) continue
        yield event
        this.judge(event)
        if (this.over) break
      }
      return null
    } catch (error) {
      if (signal.aborted) return null
      if (isFinal(error)) throw error
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  private open(signal: AbortSignal): AsyncGenerator<Frame, void> {
    return (this.options.transport ?? overFetch)(this.connection, {
      ...this.source,
      query: this.query(),
      cursor: this.cursor,
      signal,
      opened: () => this.tell({ phase: 'open' }),
      hint: (ms) => (this.hintMs = ms),
    })
  }

  private query(): URLSearchParams {
    const query = new URLSearchParams()
    const { after, types } = this.options
    if (this.cursor === null && after) query.set('after', after)
    if (types?.length) query.set('types', this.withLast(types).join(','))
    return query
  }

  /** Adds the event that ends the stream: without it the reader would come back forever. */
  private withLast(types: readonly string[]): readonly string[] {
    const { last } = this.source
    return last === null || types.some((prefix) => last.startsWith(prefix)) ? types : [...types, last]
  }

  /** Moves the cursor; gives the event, if the frame has one. */
  private take(frame: Frame): E | null {
    this.failures = -1 // this connection brought something
    const id = frame.event.startsWith('stream.') ? null : frame.id
    const event = frame.event === '' ? null : ({ ...JSON.parse(frame.data), id } as E)
    if (id) this.cursor = id
    return event
  }

  private judge(event: E): void {
    this.over = event.type === this.source.last || (event.type === 'session.snapshot' && event.data.session.status === 'closed')
    if (event.type === 'stream.error' && event.data.reason !== 'unstable') throw new StreamEnded(event.data.reason)
  }

  /** Waits before the next connection. After one that worked the gateway's hint is enough: it has jitter. */
  private async rest(cause: Error | null, signal: AbortSignal): Promise<void> {
    this.failures++
    const base = this.hintMs ?? basePauseMs
    const asked = cause instanceof GatewayError ? cause.retryAfterMs : 0
    const ms = this.failures === 0 ? (this.hintMs ?? pause(0, base)) : pauseAfter(asked, this.failures, base)
    this.tell({ phase: 'waiting', until: Date.now() + ms, cause })
    await sleepOrOnline(ms, signal)
  }

  private tell(now: Connecting): void {
    this.options.onConnecting?.(now)
  }
}

/** Says whether coming back would not help. */
function isFinal(error: unknown): boolean {
  return (error instanceof GatewayError && !error.retryable) || error instanceof StreamEnded || error instanceof SyntaxError
}

/** Waits, but not longer than until a browser says that it has a network again. */
async function sleepOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  const awake = new AbortController()
  const wake = () => awake.abort()
  const page: Partial<EventTarget> = globalThis
  page.addEventListener?.('online', wake)
  signal.addEventListener('abort', wake)
  if (signal.aborted) wake()
  await sleep(ms, awake.signal)
  page.removeEventListener?.('online', wake)
  signal.removeEventListener('abort', wake)
}
