import { useEffect, useMemo, useState } from 'preact/hooks'
import { GatewayError, type SessionState } from '@session-gateway/client'
import { BatchRow, CallRow, TurnRow } from './timeline-rows.tsx'
import { reasonOf } from './gateway.ts'
import { LiveState } from './live-state.tsx'
import { SessionHead } from './session-head.tsx'
import { timelineOf, type TimelineRow } from './timeline.ts'
import { useKeys } from './keys.ts'
import { Virtual } from './virtual.tsx'
import { liveSession, type Live } from './watching.ts'

/** One session: what it is, what it may do, and all that happened. */
export function SessionPage({ sid }: { sid: string }) {
  const [live, setLive] = useState<Live<SessionState>>()
  useEffect(() => {
    const opened = liveSession(sid)
    setLive(opened)
    return opened.close
  }, [sid])
  return live ? <Watched live={live} sid={sid} /> : null
}

function Watched({ live, sid }: { live: Live<SessionState>; sid: string }) {
  const { state, liveness } = live.now.value
  if (liveness.phase === 'ended' && !state.session) return <p class="empty">{whyEnded(liveness.cause)}</p>
  return (
    <div class="session">
      <SessionHead sid={sid} state={state} live={live} />
      <p class="facts">
        <LiveState now={liveness} reset={state.reset?.reason} />
        <span class="quiet">
          {state.seq} events, {state.batches.length} batches
        </span>
      </p>
      <Timeline state={state} live={live} />
    </div>
  )
}

function whyEnded(cause: Error | null): string {
  if (cause instanceof GatewayError && cause.status !== 404) return reasonOf(cause)
  return 'There is no such session, or it is gone.'
}

function Timeline({ state, live }: { state: SessionState; live: Live<SessionState> }) {
  const rows = useMemo(() => timelineOf(state), [state.batches, state.turns])
  const [at, setAt] = useState<string | null>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const index = rows.findIndex((row) => row.key === at)
  const move = (by: number) => setAt(rows[index < 0 ? rows.length - 1 : Math.min(Math.max(index + by, 0), rows.length - 1)]?.key ?? null)
  const toggle = (key: string) => setOpen((before) => toggled(before, key))
  useKeys({ j: () => move(1), k: () => move(-1), Enter: () => at && toggle(at) })
  if (rows.length === 0) return <p class="empty">Nothing has happened here yet.</p>
  return (
    <Virtual items={rows} keyOf={(row) => row.key} estimate={44} label="What happened" class="timeline" reveal={at} follow>
      {(row) => <RowOf row={row} current={row.key === at} open={open.has(row.key)} toggle={() => toggle(row.key)} live={live} />}
    </Virtual>
  )
}

function toggled(set: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}

export interface RowProps {
  row: TimelineRow
  current: boolean
  open: boolean
  toggle: () => void
  live: Live<SessionState>
}

function RowOf({ row, ...rest }: RowProps) {
  switch (row.kind) {
    case 'turn':
      return <TurnRow turn={row.turn} live={rest.live} />
    case 'batch':
      return <BatchRow batch={row.batch} />
    case 'call':
      return <CallRow {...row} {...rest} />
  }
}
