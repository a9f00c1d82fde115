import { seqOf, type Schemas, type SessionEvent } from '../events.js'
import { fromSnapshot as approvalsOf, putApproval, type Approval } from './approvals.js'
import { changeCall, putBatch, putCheck, putResult, type BatchView } from './batches.js'
import { withApproval, withHost, withMode, withoutHost, withSummary, type SessionView } from './documents.js'
import { putTurn, say, startTurn, type TurnView } from './turns.js'

/** What the events of a session add up to. Never changed in place. */
export interface SessionState {
  /** The last event that is in here; older ones change nothing. */
  readonly seq: number
  /** Null until something tells it. */
  readonly session: SessionView | null
  /** The event that the session's document is not older than. */
  readonly sessionSeq: number
  /** In the order in which they began, the newest 5000. */
  readonly batches: readonly BatchView[]
  readonly turns: readonly TurnView[]
  readonly approvals: readonly Approval[]
  /** Why there is nothing from before the last snapshot, if there was one. */
  readonly reset: Schemas['StreamReset'] | null
  /** History was cut; the snapshot to go on from has not come yet. */
  readonly resetting: boolean
}

/** The state before the first event. */
export const emptySession: SessionState = {
  seq: 0,
  session: null,
  sessionSeq: 0,
  batches: [],
  turns: [],
  approvals: [],
  reset: null,
  resetting: false,
}

/** Adds an event. One that is in the state already, or is older, changes nothing. */
export function reduceSession(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'stream.error':
      return state
    case 'stream.reset':
      return { ...state, reset: event.data, resetting: true }
    case 'session.snapshot':
      return fromSnapshot(state, event.seq, event.data)
  }
  if (event.seq <= state.seq || state.resetting) return state
  const session = event.seq > state.sessionSeq ? onSession(state.session, event) : state.session
  return { ...onLists(state, event), session, seq: event.seq }
}

/** Begins anew, but for answers that were seen. */
function fromSnapshot(state: SessionState, seq: number, snapshot: Schemas['Snapshot']): SessionState {
  return {
    ...emptySession,
    seq,
    session: withSummary(state.session, snapshot.session),
    sessionSeq: seq,
    batches: snapshot.open_batch ? putBatch([], snapshot.open_batch) : [],
    approvals: approvalsOf(state.approvals, snapshot.approvals, state.reset?.reason === 'diverged'),
    reset: state.reset,
  }
}

type LogEvent = Exclude<SessionEvent, { type: `stream.${string}` | 'session.snapshot' }>

function onSession(session: SessionView | null, event: LogEvent): SessionView | null {
  switch (event.type) {
    case 'session.created':
    case 'session.updated':
    case 'session.closed':
      return withSummary(session, event.data)
    default:
      return session && { ...onPart(session, event), updated_at: event.time }
  }
}

/** What an event that tells only a part does to the session's document. */
function onPart(session: SessionView, event: LogEvent): SessionView {
  switch (event.type) {
    case 'mode.changed':
      return withMode(session, event.data)
    case 'plan.entered':
    case 'plan.updated':
    case 'plan.exited':
      return { ...session, plan: event.data }
    case 'turn.started':
      return { ...session, open_turn_id: event.data.turn.id }
    case 'turn.completed':
      return { ...session, open_turn_id: null }
    case 'batch.started':
      return { ...session, open_batch_id: event.data.status === 'running' ? event.data.id : null }
    case 'batch.completed':
      return { ...session, open_batch_id: null }
    case 'approval.requested':
    case 'approval.voted':
    case 'approval.resolved':
      return withApproval(session, event.data)
    case 'host.attached':
      return withHost(session, event.data)
    case 'host.lost':
      return withoutHost(session, event.data)
    default:
      return session
  }
}

/** What an event does to batches, turns and approvals. */
function onLists(state: SessionState, event: LogEvent): SessionState {
  switch (event.type) {
    case 'approval.requested':
    case 'approval.voted':
    case 'approval.resolved':
      return onApproval(state, event.batch_id, event.data)
    case 'turn.started':
      return { ...state, turns: startTurn(state.turns, event.data.turn) }
    case 'message.delta':
      return { ...state, turns: say(state.turns, event.data) }
    case 'turn.completed':
      return { ...state, turns: putTurn(state.turns, event.data) }
    default:
      return { ...state, batches: onBatches(state.batches, event) }
  }
}

function onApproval(state: SessionState, bid: string | undefined, approval: Approval): SessionState {
  const waits = approval.status === 'pending'
  return {
    ...state,
    approvals: putApproval(state.approvals, approval),
    batches: waits
      ? changeCall(state.batches, bid, approval.position, (call) => ({ ...call, state: 'awaiting_approval', approval_id: approval.id }))
      : state.batches,
  }
}

function onBatches(batches: readonly BatchView[], event: LogEvent): readonly BatchView[] {
  switch (event.type) {
    case 'batch.started':
    case 'batch.completed':
      return putBatch(batches, event.data)
    case 'model_request.checked':
      return putCheck(batches, event.data)
    case 'call.result':
      return putResult(batches, event.batch_id, event.data)
    case 'call.dispatched': {
      const { call_id: _, ...told } = event.data
      return changeCall(batches, event.batch_id, told.position, (call) => ({ ...call, ...told, state: 'dispatched' }))
    }
    case 'call.claimed':
      return changeCall(batches, event.batch_id, event.data.position, (call) => ({ ...call, state: 'claimed', host_id: event.data.host_id }))
    case 'call.progress':
      return changeCall(batches, event.batch_id, event.data.position, (call) => ({ ...call, progress: event.data }))
    case 'call.cancelled':
      return changeCall(batches, event.batch_id, event.data.position, ({ host_id: _, ...call }) => ({ ...call, state: 'queued' }))
    default:
      return batches
  }
}

/** Takes over the session as a route answered it, unless it is older than what is known. */
export function withSession(state: SessionState, session: Schemas['SessionDocument']): SessionState {
  const seq = seqOf(session.last_event_id)
  if (state.session && seq < Math.max(state.seq, state.sessionSeq)) return state
  return { ...state, session, sessionSeq: seq }
}

/** Takes over an approval as a route answered it. */
export function withAnswer(state: SessionState, approval: Approval): SessionState {
  return { ...state, approvals: putApproval(state.approvals, approval) }
}

/** Takes over a batch as a route answered it, with all that events only preview. */
export function withBatch(state: SessionState, batch: Schemas['Batch']): SessionState {
  return { ...state, batches: putBatch(state.batches, batch) }
}

/** Takes over a turn as a route answered it. */
export function withTurn(state: SessionState, turn: Schemas['Turn']): SessionState {
  return { ...state, turns: putTurn(state.turns, turn) }
}
