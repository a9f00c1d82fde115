import { createClient, type Connection } from './client.js'
import { seqOf } from './events.js'
import { sessionEvents, tenantEvents, type Connecting, type StreamOptions } from './reader.js'
import { emptySession, reduceSession, withSession, type SessionState } from './state/session.js'
import { emptyTenant, reduceTenant, type TenantState } from './state/tenant.js'

/** How a watch is doing, as a page may say it. */
export type Liveness =
  | { phase: 'connecting' }
  /** Connected; what was missed is still coming. */
  | { phase: 'catching_up' }
  | { phase: 'live' }
  /** The connection broke; the next try is at `until`, in milliseconds since 1970. */
  | { phase: 'waiting'; until: number; cause: Error | null }
  /** Nothing more comes: the session was closed, the watch was, or `cause` ended it. */
  | { phase: 'ended'; cause: Error | null }

/** The state of something and how the watch of it is doing. A new object with each change. */
export interface Watched<S> {
  readonly state: S
  readonly liveness: Liveness
}

/** Keeps a state up to date until it is closed; fits React's useSyncExternalStore. */
export interface Watch<S> {
  readonly get: () => Watched<S>
  /** Calls the listener after changes, once for those that came together; gives what ends that. */
  readonly subscribe: (listener: () => void) => () => void
  /** Changes the state, to take over what a route answered. */
  readonly update: (change: (state: S) => S) => void
  readonly close: () => void
}

/** How a watch connects. */
export type WatchOptions = Pick<StreamOptions, 'transport'>

/** Watches a session from its first retained event on, and reads its document beside it. */
export function watchSession(connection: Connection, sid: string, options: WatchOptions = {}): Watch<SessionState> {
  const keeper = new Keeper(emptySession)
  const client = createClient(connection)
  let head = Number.POSITIVE_INFINITY // the event that is to be reached to be live
  const settle = () => {
    const { state, liveness } = keeper.get()
    if (liveness.phase === 'catching_up' && state.seq >= head && !state.resetting) keeper.set({ liveness: { phase: 'live' } })
  }
  let reads = 0
  const read = async () => {
    const nth = ++reads
    head = Number.POSITIVE_INFINITY
    const { data } = await client
      .GET('/v1/sessions/{sid}', { params: { path: { sid } }, signal: keeper.signal })
      .catch(() => ({ data: undefined })) // the stream is what counts, and says what is wrong
    if (nth === reads) head = seqOf(data?.last_event_id) // what an earlier connection asked for says nothing of this one
    if (data) keeper.update((state) => withSession(state, data))
    settle()
  }
  const events = sessionEvents(connection, sid, {
    ...options,
    signal: keeper.signal,
    onConnecting: (now) => {
      keeper.set({ liveness: liveness(now) })
      if (now.phase === 'open') void read()
    },
  })
  void keeper.run(events, (state, event) => reduceSession(state, event), settle)
  return keeper
}

/** Watches who of the tenant waits for a person. */
export function watchTenant(connection: Connection, options: WatchOptions = {}): Watch<TenantState> {
  const keeper = new Keeper(emptyTenant)
  const settle = () => {
    const { state, liveness } = keeper.get()
    if (liveness.phase === 'catching_up' && state.ready) keeper.set({ liveness: { phase: 'live' } })
  }
  const events = tenantEvents(connection, {
    ...options,
    signal: keeper.signal,
    onConnecting: (now) => {
      keeper.set({ liveness: liveness(now) })
      settle() // what was missed since the last connection is told at once and has no end that could be seen
    },
  })
  void keeper.run(events, reduceTenant, settle)
  return keeper
}

function liveness(now: Connecting): Liveness {
  return now.phase === 'open' ? { phase: 'catching_up' } : now
}

/** A watched value and those who listen to it. */
class Keeper<S> implements Watch<S> {
  private readonly controller = new AbortController()
  private readonly listeners = new Set<() => void>()
  private now: Watched<S>
  private telling: ReturnType<typeof setTimeout> | undefined

  constructor(state: S) {
    this.now = { state, liveness: { phase: 'connecting' } }
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  readonly get = () => this.now

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  readonly update = (change: (state: S) => S) => {
    this.set({ state: change(this.now.state) })
  }

  readonly close = () => {
    this.controller.abort()
  }

  set(part: Partial<Watched<S>>): void {
    if (part.state === this.now.state && !part.liveness) return
    this.now = { ...this.now, ...part }
    this.telling ??= setTimeout(this.tell)
  }

  /** Adds events until there are no more. */
  async run<E>(events: AsyncIterable<E>, reduce: (state: S, event: E) => S, settle: () => void): Promise<void> {
    let cause: Error | null = null
    try {
      for await (const event of events) {
        this.update((state) => reduce(state, event))
        settle()
      }
    } catch (error) {
      cause = error as Error
    }
    this.set({ liveness: { phase: 'ended', cause } })
  }

  /** Runs in a task of its own, so that thousands of events that come together are one change. */
  private readonly tell = () => {
    this.telling = undefined
    for (const listener of this.listeners) listener()
  }
}
