import type { Approval, Schemas } from '@session-gateway/client'
import { useEffect, useState } from 'preact/hooks'
import { resolution } from './answering.ts'
import { ago } from './clock.ts'
import { DiffView } from './diff-view.tsx'
import { gateway } from './gateway.ts'
import { Markdown } from './markdown.tsx'
import { Foreign, reveal } from './text.tsx'

/** A plan as it was before: shown to a person, or approved by one. */
interface Earlier {
  id: string
  says: string
  text: string
}

/** A plan that waits for a person: as it reads, as it is written, and what changed since it was last seen. */
export function PlanReview({ approval }: { approval: Approval }) {
  const plan = approval.plan
  const earlier = useEarlier(approval)
  const [view, setView] = useState('plan')
  if (!plan) return <p class="empty">The approval has no plan.</p>
  const compared = earlier.find(({ id }) => id === view)
  return (
    <section class="plan" aria-label="The plan">
      <p class="facts">
        <span class="quiet">
          {plan.revision > 0 && `Revision ${plan.revision}. `}Before planning the mode was <strong>{plan.previous_mode}</strong>.
        </span>
      </p>
      {earlier.length > 0 && <LastSaid earlier={earlier[0]!} />}
      <label class="plan-view">
        Show{' '}
        <select value={view} onChange={(event) => setView(event.currentTarget.value)}>
          <option value="plan">the plan</option>
          <option value="source">the plan as it was written</option>
          {earlier.map(({ id, says }) => (
            <option value={id}>changes since {says}</option>
          ))}
        </select>
      </label>
      {compared && <DiffView before={compared.text} after={plan.text} label={`Changes since ${compared.says}`} />}
      {!compared && (view === 'source' ? <pre class="block">{reveal(plan.text)}</pre> : <Markdown text={plan.text} />)}
    </section>
  )
}

function LastSaid({ earlier }: { earlier: Earlier }) {
  return (
    <p class="quiet">
      Last time: <Foreign text={earlier.says} />.
    </p>
  )
}

/** Finds the plans that people saw before this one in its session, the latest first. */
function useEarlier(approval: Approval): Earlier[] {
  const [earlier, setEarlier] = useState<Earlier[]>([])
  useEffect(() => {
    const leaving = new AbortController()
    readEarlier(approval, leaving.signal).then(setEarlier, () => undefined) // the plan itself is there
    return () => leaving.abort()
  }, [approval.id])
  return earlier
}

async function readEarlier(approval: Approval, signal: AbortSignal): Promise<Earlier[]> {
  const sid = approval.session_id
  const [shown, plan] = await Promise.all([
    readApprovals(sid, signal),
    gateway.GET('/v1/sessions/{sid}/plan', { params: { path: { sid } }, signal }),
  ])
  const before = shown.filter((other) => other.plan && other.id !== approval.id && other.requested_at <= approval.requested_at)
  return before.map(fromApproval).reverse().concat(fromApproved(plan.data?.last_approved))
}

/** How many pages of 200 are read: they come from the oldest on, and the last plan is in the last. */
const maxPages = 20

async function readApprovals(sid: string, signal: AbortSignal): Promise<Approval[]> {
  const all: Approval[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const query = { session_id: sid, limit: 200, ...(cursor && { cursor }) }
    const { data } = await gateway.GET('/v1/approvals', { params: { query }, signal })
    all.push(...(data?.data ?? []))
    cursor = data?.next_cursor ?? undefined
    if (!cursor) break
  }
  return all
}

function fromApproval(other: Approval): Earlier {
  const said = other.feedback ? ` “${other.feedback.slice(0, 80)}”` : ''
  return { id: other.id, says: `${resolution(other).replace(/\.$/, '')}${said}, ${ago(other.requested_at)}`, text: other.plan!.text }
}

function fromApproved(plan: Schemas['Plan']['last_approved'] | undefined): Earlier[] {
  return plan ? [{ id: 'approved', says: `${plan.by} approved a plan, ${ago(plan.at)}`, text: plan.text }] : []
}
