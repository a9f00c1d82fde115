import { seqOf, type Schemas, type TenantEvent } from '../events.js'
import { fromSnapshot as approvalsOf, putApproval, type Approval } from './approvals.js'
import { withApproval, withSummary, type SessionView } from './documents.js'
import { find, put } from './lists.js'

/** A session as the tenant's stream tells it. */
export interface TenantSession {
  readonly id: string
  readonly session: SessionView
  /** The last event of the session that is in here. */
  readonly seq: number
}

/** What the events of a tenant add up to: who waits for a person. Never changed in place. */
export interface TenantState {
  /** The first snapshot came. */
  readonly ready: boolean
  /** Those that were told, the newest 5000. One that began to wait since is told by its approvals only: read its route. */
  readonly sessions: readonly TenantSession[]
  /** Open ones, and those whose answer was seen, the newest 5000. */
  readonly approvals: readonly Approval[]
  /** Where in `GET /v1/approvals?status=pending` those open ones begin that are missing; null: none are. */
  readonly more: string | null
  /** Why the state began anew, if it did. */
  readonly reset: Schemas['StreamReset'] | null
}

/** The state before the first event. */
export const emptyTenant: TenantState = { ready: false, sessions: [], approvals: [], more: null, reset: null }

/** Adds an event. One that is in the state already, or is older, changes nothing. */
export function reduceTenant(state: TenantState, event: TenantEvent): TenantState {
  switch (event.type) {
    case 'stream.error':
      return state
    case 'stream.reset':
      return { ...state, reset: event.data }
    case 'tenant.snapshot':
      return fromSnapshot(state, event.data)
  }
  const known = find(state.sessions, event.session_id)
  if (known && event.seq <= known.seq) return state
  return { ...state, sessions: onSessions(state.sessions, known, event), approvals: onApprovals(state.approvals, event) }
}

type LogEvent = Exclude<TenantEvent, { type: `stream.${string}` | 'tenant.snapshot' }>

/** Begins anew, but for answers that were seen. */
function fromSnapshot(state: TenantState, snapshot: Schemas['TenantSnapshot']): TenantState {
  return {
    ready: true,
    sessions: snapshot.sessions.map((session) => ({ id: session.id, session, seq: seqOf(session.last_event_id) })),
    approvals: approvalsOf(state.approvals, snapshot.approvals, state.reset?.reason === 'diverged'),
    more: snapshot.truncated ? snapshot.next_cursor : null,
    reset: state.reset,
  }
}

function onSessions(list: readonly TenantSession[], known: TenantSession | undefined, event: LogEvent): readonly TenantSession[] {
  const session = onSession(known?.session ?? null, event)
  return session ? put(list, { id: event.session_id, session, seq: event.seq }) : list
}

function onSession(session: SessionView | null, event: LogEvent): SessionView | null {
  switch (event.type) {
    case 'session.created':
    case 'session.updated':
    case 'session.closed':
      return withSummary(session, event.data)
    case 'batch.completed':
      return session && { ...session, open_batch_id: null }
    default:
      return session && withApproval(session, event.data)
  }
}

function onApprovals(list: readonly Approval[], event: LogEvent): readonly Approval[] {
  switch (event.type) {
    case 'approval.requested':
    case 'approval.voted':
    case 'approval.resolved':
      return putApproval(list, event.data)
    default:
      return list
  }
}

/** Takes over an approval as a route answered it. */
export function withTenantAnswer(state: TenantState, approval: Approval): TenantState {
  return { ...state, approvals: putApproval(state.approvals, approval) }
}

/**
 * Takes over a session that events told nothing of, as its route answered it.
 * What is in it already still comes as events, and brings approvals that are not.
 */
export function withTenantSession(state: TenantState, session: Schemas['SessionDocument']): TenantState {
  return find(state.sessions, session.id) ? state : { ...state, sessions: put(state.sessions, { id: session.id, session, seq: 0 }) }
}

/** Takes over a page of approvals that the snapshot had no room for. */
export function withApprovalPage(state: TenantState, page: Schemas['ApprovalPage']): TenantState {
  return { ...state, approvals: page.data.reduce(putApproval, state.approvals), more: page.next_cursor }
}
