import { withSession, type SessionState, type SessionView } from '@session-gateway/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { gateway, mayAct, problemText, reasonOf } from './gateway.ts'
import { Link } from './link.tsx'
import { Markdown } from './markdown.tsx'
import { nameOf, naming } from './names.ts'
import { say } from './notices.tsx'
import { Foreign } from './text.tsx'
import type { Live } from './watching.ts'

interface HeadProps {
  sid: string
  state: SessionState
  live: Live<SessionState>
}

const modes = ['plan', 'default', 'auto_edit', 'yolo'] as const

type Mode = (typeof modes)[number]

/** What a session is, and what can be done about it. */
export function SessionHead({ sid, state, live }: HeadProps) {
  const session = state.session
  if (!session) return <h1 class="session-title">{nameOf(undefined, sid)}</h1>
  return (
    <header class="session-head">
      <h1 class="session-title">
        <Foreign text={nameOf(session, sid)} />
        {session.status === 'closed' && <span class="badge">closed</span>}
      </h1>
      <Facts session={session} />
      <div class="session-acts">
        <ModeSwitch session={session} live={live} />
        {session.open_batch_id && mayAct() && <Abort key={session.open_batch_id} sid={sid} bid={session.open_batch_id} />}
        <a class="button" href={`/v1/sessions/${encodeURIComponent(sid)}/transcript`} download={`${sid}.ndjson`}>
          Transcript
        </a>
      </div>
      <Open session={session} />
      {(session.plan.active || session.plan.inherited) && <PlanNow session={session} />}
    </header>
  )
}

function Facts({ session }: { session: SessionView }) {
  const hosts = session.hosts.length === 0 ? 'no host attached' : `hosts: ${session.hosts.join(', ')}`
  return (
    <p class="facts quiet">
      <span>
        {session.agent} · {session.runtime}
      </span>
      <code>
        <Foreign text={session.cwd} />
      </code>
      <Foreign text={hosts} />
      {session.parent_session_id && (
        <Link to={{ view: 'session', sid: session.parent_session_id }}>parent {session.parent_session_id.slice(-6)}</Link>
      )}
      {Object.entries(session.labels)
        .filter(([name]) => !naming.includes(name))
        .map(([name, value]) => (
          <Foreign class="badge" text={`${name}: ${value}`} />
        ))}
    </p>
  )
}

/** Switches the mode. A mode in which nobody is asked any more is asked for twice: a list changes by a single key. */
function ModeSwitch({ session, live }: { session: SessionView; live: Live<SessionState> }) {
  const [busy, setBusy] = useState(false)
  const [sure, setSure] = useState(false)
  const change = async (mode: Mode) => {
    setSure(false)
    setBusy(true)
    await putMode(session.id, mode, live)
    setBusy(false)
  }
  const chosen = (select: HTMLSelectElement) => {
    const wanted = select.value as Mode
    select.value = session.approval_mode // it is what the gateway says
    if (wanted === 'yolo') setSure(true)
    else void change(wanted)
  }
  if (sure) return <Sure what="yolo: nobody is asked any more" act={() => void change('yolo')} keep={() => setSure(false)} />
  const fixed = !mayAct() || session.status === 'closed' || busy
  return (
    <label class="mode">
      Mode{' '}
      <select value={session.approval_mode} disabled={fixed} onChange={(event) => chosen(event.currentTarget)}>
        {modes.map((mode) => (
          <option value={mode}>{mode}</option>
        ))}
      </select>
      {session.effective_mode !== session.approval_mode && <span class="badge">held to {session.effective_mode} by a session above</span>}
      {session.approval_mode_locked && <span class="badge">locked</span>}
    </label>
  )
}

/** Asks once more before something that can't be taken back. */
function Sure({ what, act, keep }: { what: string; act: () => void; keep: () => void }) {
  const safe = useRef<HTMLButtonElement>(null)
  useEffect(() => safe.current?.focus(), [])
  return (
    <span class="sure" role="group" aria-label="Are you sure?">
      <button type="button" class="danger" onClick={act}>
        {what}
      </button>
      <button type="button" ref={safe} onClick={keep}>
        Leave it
      </button>
    </span>
  )
}

async function putMode(sid: string, mode: Mode, live: Live<SessionState>): Promise<void> {
  try {
    const { data, error } = await gateway.PUT('/v1/sessions/{sid}/approval-mode', { params: { path: { sid } }, body: { mode } })
    if (data) live.update((state) => withSession(state, data))
    say(data ? `The mode is ${mode}.` : problemText(error), data ? 'news' : 'problem')
  } catch (error) {
    say(reasonOf(error), 'problem')
  }
}

/** Asks once more before it aborts: what runs on a host may be half done then. */
function Abort({ sid, bid }: { sid: string; bid: string }) {
  const [sure, setSure] = useState(false)
  const abort = async () => {
    setSure(false)
    try {
      const { data, error } = await gateway.POST('/v1/sessions/{sid}/batches/{bid}/abort', { params: { path: { sid, bid } } })
      say(data ? 'The batch is aborted.' : problemText(error), data ? 'news' : 'problem')
    } catch (error) {
      say(reasonOf(error), 'problem')
    }
  }
  if (sure) return <Sure what="Abort: open calls end now" act={() => void abort()} keep={() => setSure(false)} />
  return (
    <button type="button" class="danger" onClick={() => setSure(true)}>
      Abort the batch
    </button>
  )
}

function Open({ session }: { session: SessionView }) {
  const [first] = session.open_approvals
  if (!first) return null
  return (
    <p class="banner">
      <Link to={{ view: 'inbox', aid: first }}>
        {session.open_approvals.length === 1 ? 'One approval waits' : `${session.open_approvals.length} approvals wait`} for a person
      </Link>
    </p>
  )
}

function PlanNow({ session }: { session: SessionView }) {
  const { text, revision, inherited, active } = session.plan
  return (
    <details class="plan-now">
      <summary>
        Plan mode is on{inherited && !active ? ', from a session above' : ''}
        {text && `: revision ${revision}`}
      </summary>
      {text ? <Markdown text={text} /> : <p class="quiet">Nothing is written down yet.</p>}
    </details>
  )
}
