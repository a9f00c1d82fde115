import { withBatch, withTurn, type BatchView, type CallView, type SessionState, type TurnView } from '@session-gateway/client'
import { useEffect } from 'preact/hooks'
import { Arguments } from './arguments.tsx'
import { ago } from './clock.ts'
import { gateway } from './gateway.ts'
import { Link } from './link.tsx'
import { Output } from './output.tsx'
import { reasons, states } from './reasons.ts'
import { Block, Foreign } from './text.tsx'
import type { Live } from './watching.ts'
import { Why } from './why.tsx'

/** What a person asked for, and what the model says, as it says it. */
export function TurnRow({ turn, live }: { turn: TurnView; live: Live<SessionState> }) {
  useEffect(() => {
    if (turn.partial) void readTurn(turn, live)
  }, [turn.id, turn.partial])
  return (
    <section class="turn" aria-label="A turn">
      <p class="turn-head">
        <strong>
          <Foreign text={turn.by} />
        </strong>{' '}
        <span class="quiet">
          {ago(turn.started_at)} · {turn.status === 'open' ? 'open' : turn.stop_reason}
        </span>
      </p>
      {turn.input?.map((item) => <Block text={inputText(item)} label="Prompt" />)}
      {turn.text && <div class="said">{<Block text={turn.text} label="What the model says" />}</div>}
    </section>
  )
}

async function readTurn(turn: TurnView, live: Live<SessionState>): Promise<void> {
  const path = { sid: turn.session_id, tid: turn.id }
  const { data } = await gateway.GET('/v1/sessions/{sid}/turns/{tid}', { params: { path } }).catch(() => ({ data: undefined }))
  if (data) live.update((state) => withTurn(state, data))
}

function inputText(item: Record<string, unknown>): string {
  return typeof item.text === 'string' ? item.text : JSON.stringify(item, null, 2)
}

/** The head of a batch. */
export function BatchRow({ batch }: { batch: BatchView }) {
  return (
    <p class="batch-head">
      <strong>Batch</strong> <span class={`badge batch-${batch.status}`}>{batch.status}</span>
      {batch.stop && <span class="badge">{reasons[batch.stop.reason] ?? batch.stop.reason}</span>}
      <span class="quiet">
        {batch.calls.length} {batch.calls.length === 1 ? 'call' : 'calls'} · {ago(batch.created_at)}
      </span>
    </p>
  )
}

interface CallRowProps {
  batch: BatchView
  call: CallView
  boundary: boolean
  current: boolean
  open: boolean
  toggle: () => void
  live: Live<SessionState>
}

/** A call: its state in a line, and all that is known of it when it is unfolded. */
export function CallRow({ batch, call, boundary, current, open, toggle, live }: CallRowProps) {
  const { result } = call
  const reason = result?.reason ?? null
  return (
    <div class={`call call-${lookOf(call)}${current ? ' row-current' : ''}${boundary ? ' call-boundary' : ''}`}>
      <button type="button" class="call-line" aria-expanded={open} onClick={toggle}>
        <span class="call-mark" aria-hidden="true">
          {marks[lookOf(call)]}
        </span>
        <Foreign class="call-tool" text={call.tool || call.name} />
        <Foreign class="call-subject quiet" text={hintOf(call)} />
        {boundary && <span class="badge badge-plan">plan boundary</span>}
        <span class="call-state">{result ? (reason ? (reasons[reason] ?? reason) : result.status) : states[call.state]}</span>
      </button>
      {open && <CallDetails batch={batch} call={call} live={live} />}
    </div>
  )
}

type Look = 'done' | 'refused' | 'failed' | 'waiting' | 'running' | 'queued'

const marks: Record<Look, string> = { done: '✓', refused: '⊘', failed: '✗', waiting: '?', running: '▸', queued: '·' }

function lookOf(call: CallView): Look {
  if (call.result) {
    if (call.result.status === 'success') return 'done'
    return call.result.execution_status === 'not_started' ? 'refused' : 'failed'
  }
  if (call.state === 'awaiting_approval' || call.state === 'awaiting_hook') return 'waiting'
  return call.state === 'claimed' || call.state === 'dispatched' ? 'running' : 'queued'
}

/** The first text among the arguments says most about a call. */
function hintOf(call: CallView): string {
  const { arguments: given } = call
  if (typeof given !== 'object' || given === null) return ''
  const text = Object.values(given).find((value) => typeof value === 'string') as string | undefined
  return text?.split('\n', 1)[0]?.slice(0, 120) ?? ''
}

function CallDetails({ batch, call, live }: { batch: BatchView; call: CallView; live: Live<SessionState> }) {
  const preview = call.result?.output_preview === true || call.arguments_preview === true
  useEffect(() => {
    if (preview) void readBatch(batch, live)
  }, [preview])
  const { result } = call
  return (
    <div class="call-details">
      <dl class="named">
        <Fact name="Called as" value={call.name} />
        <Fact name="Call id" value={call.id} />
        {result?.reason && <Fact name="Reason" value={result.reason} />}
        {call.host_id && <Fact name="Host" value={call.host_id} />}
        {call.decision && (
          <div>
            <dt>Why</dt>
            <dd>
              <span class={`effect effect-${call.decision.effect}`}>{call.decision.effect}</span> <Why decision={call.decision} />
            </dd>
          </div>
        )}
      </dl>
      {call.approval_id && <Link to={{ view: 'inbox', aid: call.approval_id }}>Its approval</Link>}
      {call.progress?.text && <Block text={call.progress.text} label="Progress" />}
      {call.arguments !== undefined && <Arguments value={call.arguments} {...(call.arguments_preview && { preview: true })} />}
      {call.arguments === undefined && <p class="quiet">It ended at once, so that its arguments are in the transcript only.</p>}
      {result && <Output sid={batch.session_id} result={result} rendered={call.rendered} />}
    </div>
  )
}

async function readBatch(batch: BatchView, live: Live<SessionState>): Promise<void> {
  const path = { sid: batch.session_id, bid: batch.id }
  const { data } = await gateway.GET('/v1/sessions/{sid}/batches/{bid}', { params: { path } }).catch(() => ({ data: undefined }))
  if (data) live.update((state) => withBatch(state, data))
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>
          <Foreign text={value} />
        </code>
      </dd>
    </div>
  )
}
