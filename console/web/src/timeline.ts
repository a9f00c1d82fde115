import type { BatchView, CallView, SessionState, TurnView } from '@session-gateway/client'

/** A row of a session's timeline. */
export type TimelineRow =
  | { kind: 'turn'; key: string; turn: TurnView }
  | { kind: 'batch'; key: string; batch: BatchView }
  | { kind: 'call'; key: string; batch: BatchView; call: CallView; boundary: boolean }

type Timed = { at: string; rows: () => TimelineRow[] }

/** Lays turns and batches out in the order in which they began, a row for each call. */
export function timelineOf(state: SessionState): TimelineRow[] {
  const parts: Timed[] = [
    ...state.turns.map((turn) => ({ at: turn.started_at, rows: () => [{ kind: 'turn' as const, key: turn.id, turn }] })),
    ...state.batches.map((batch) => ({ at: batch.created_at, rows: () => rowsOf(batch) })),
  ]
  return parts.sort((a, b) => a.at.localeCompare(b.at)).flatMap((part) => part.rows())
}

const known = new WeakMap<BatchView, TimelineRow[]>()

/** A batch that didn't change keeps its rows: there may be thousands, and one changes. */
function rowsOf(batch: BatchView): TimelineRow[] {
  let rows = known.get(batch)
  if (!rows) known.set(batch, (rows = makeRows(batch)))
  return rows
}

function makeRows(batch: BatchView): TimelineRow[] {
  const boundary = batch.calls.some((call) => call.result?.reason === 'plan_boundary')
  const entry = boundary ? batch.calls.find((call) => call.tool === 'enter_plan_mode' && call.result?.reason !== 'plan_boundary') : undefined
  return [
    { kind: 'batch', key: batch.id, batch },
    ...batch.calls.map((call) => ({ kind: 'call' as const, key: `${batch.id}/${call.position}`, batch, call, boundary: call === entry })),
  ]
}
