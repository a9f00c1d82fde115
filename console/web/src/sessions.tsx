import { seqOf, type SessionView, type TenantState } from '@session-gateway/client'
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { ago } from './clock.ts'
import { gateway, problemText, reasonOf } from './gateway.ts'
import { useKeys } from './keys.ts'
import { Link } from './link.tsx'
import { nameOf } from './names.ts'
import { go } from './route.ts'
import { tenant, waiting } from './tenant.ts'
import { Foreign } from './text.tsx'
import { Virtual } from './virtual.tsx'

/** How often the list is read again: what the tenant's stream doesn't tell is that a batch began. */
const rereadMs = 10_000

/** How many are read at once: as many as the gateway gives. */
const pageSize = 200

const status = signal<'active' | 'closed'>('active')

interface Page {
  sessions: SessionView[]
  cursor: string | null
  problem: string
}

const nothing: Page = { sessions: [], cursor: null, problem: '' }

/** All sessions, the newest first, with what they do now. */
export function Sessions() {
  const [page, setPage] = useState<Page | null>(null)
  const [at, setAt] = useState(-1)
  useEffect(() => {
    const leaving = new AbortController()
    const read = async () => {
      if (document.hidden) return
      const first = await readPage({ status: status.value, limit: pageSize }, nothing, leaving.signal)
      if (!leaving.signal.aborted) setPage((before) => refreshed(before, first))
    }
    setPage(null)
    void read()
    const timer = setInterval(read, rereadMs)
    document.addEventListener('visibilitychange', read)
    return () => {
      leaving.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', read)
    }
  }, [status.value])
  const list = merge(page?.sessions ?? [], tenant.value)
  useKeys({
    j: () => setAt(Math.min(at + 1, list.length - 1)),
    k: () => setAt(Math.max(at - 1, 0)),
    Enter: () => list[at] && go({ view: 'session', sid: list[at].id }),
  })
  return (
    <div class="sessions">
      <div class="sessions-head">
        <h1>Sessions</h1>
        <Filter />
      </div>
      {page?.problem && <p class="problem">{page.problem}</p>}
      {page === null ? <p class="empty">Asking the gateway…</p> : list.length === 0 && <p class="empty">There are no {status.value} sessions.</p>}
      <Virtual items={list} keyOf={({ id }) => id} estimate={76} label="Sessions" reveal={list[at]?.id ?? null}>
        {(session, n) => <Row session={session} current={n === at} />}
      </Virtual>
      {page?.cursor && (
        <button type="button" class="more" onClick={() => void readMore(page).then((more) => setPage((now) => (now === page ? more : now)))}>
          Show more
        </button>
      )}
    </div>
  )
}

function Filter() {
  const tab = (which: 'active' | 'closed') => (
    <button type="button" aria-pressed={status.value === which} onClick={() => (status.value = which)}>
      {which}
    </button>
  )
  return (
    <div class="tabs" role="group" aria-label="Which sessions">
      {tab('active')}
      {tab('closed')}
    </div>
  )
}

function Row({ session, current }: { session: SessionView; current: boolean }) {
  const open = waiting.value.filter((approval) => approval.session_id === session.id).length
  return (
    <Link class={`row session-row${current ? ' row-current' : ''}`} to={{ view: 'session', sid: session.id }}>
      <span class="row-head">
        <Foreign class="row-tool" text={nameOf(session, session.id)} />
        <span class={`badge mode-${session.effective_mode}`}>{session.effective_mode}</span>
        {open > 0 && <span class="badge badge-hot">{open} waiting</span>}
        {open === 0 && session.open_batch_id && <span class="badge badge-run">running</span>}
      </span>
      <span class="row-foot quiet">
        {session.agent} · {session.runtime} · <Foreign text={session.cwd} /> · {session.hosts.length} {session.hosts.length === 1 ? 'host' : 'hosts'} ·{' '}
        {ago(session.updated_at)}
      </span>
    </Link>
  )
}

function readMore(page: Page): Promise<Page> {
  return readPage({ status: status.peek(), limit: pageSize, cursor: page.cursor! }, page)
}

/** Lays the first page, read again, over what was read before: pages that a person asked for stay. */
function refreshed(before: Page | null, first: Page): Page {
  if (!before) return first
  if (first.problem) return { ...before, problem: first.problem }
  const again = new Set(first.sessions.map(({ id }) => id))
  const behind = before.sessions.filter(({ id }) => !again.has(id))
  return { sessions: [...first.sessions, ...behind], cursor: before.sessions.length > pageSize ? before.cursor : first.cursor, problem: '' }
}

async function readPage(query: { status: 'active' | 'closed'; limit: number; cursor?: string }, before: Page, signal?: AbortSignal): Promise<Page> {
  try {
    const { data, error } = await gateway.GET('/v1/sessions', { params: { query }, ...(signal && { signal }) })
    if (!data) return { ...before, problem: problemText(error) }
    return { sessions: [...before.sessions, ...data.data], cursor: data.next_cursor, problem: '' }
  } catch (error) {
    return { ...before, problem: reasonOf(error) }
  }
}

/** Lays what the stream told over what the list said; whichever is newer counts. */
function merge(read: SessionView[], live: TenantState | null): SessionView[] {
  const told = new Map(live?.sessions.map((one) => [one.id, one]))
  const list = read.map((session) => {
    const one = told.get(session.id)
    told.delete(session.id)
    return one && one.seq >= seqOf(session.last_event_id) ? { ...session, ...one.session } : session
  })
  return [...Array.from(told.values(), ({ session }) => session), ...list]
    .filter((session) => session.status === status.value)
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
}
