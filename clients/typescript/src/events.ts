import type { SessionEventData, TenantEventData } from './generated/events.js'
import type { components } from './generated/openapi.js'

/** The documents of the contract, by name. */
export type Schemas = components['schemas']

/** An event of a session's log. */
interface LogEvent<T, D> {
  /** The cursor behind the event. */
  id: string
  type: T
  /** Its place in its session's log: 1, 2, 3… */
  seq: number
  session_id: string
  batch_id?: string
  time: string
  data: D
}

/** What a stream says about itself; it has no place in the log. */
interface StreamNote<T, D> {
  id: null
  type: T
  session_id?: string
  time: string
  data: D
}

/** The state of the tenant, of no session. */
interface TenantState<T, D> {
  id: string
  type: T
  time: string
  data: D
}

type Of<T extends string, D> = T extends `stream.${string}`
  ? StreamNote<T, D>
  : T extends 'tenant.snapshot'
    ? TenantState<T, D>
    : LogEvent<T, D>

type Union<Data> = { [T in keyof Data & string]: Of<T, Data[T]> }[keyof Data & string]

/** What comes on the stream of one session; `type` tells which `data` it has. */
export type SessionEvent = Union<SessionEventData>

/** What comes on the stream of all of a tenant's sessions. */
export type TenantEvent = Union<TenantEventData>

/** The place of a cursor of a session in its log; 0 where it says none. */
export function seqOf(cursor: string | undefined): number {
  return Number.parseInt(cursor ?? '', 10) || 0
}
