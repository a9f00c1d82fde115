import type { Approval } from '@session-gateway/client'
import { ago, countdown, now } from './clock.ts'
import { useName } from './names.ts'
import { Foreign } from './text.tsx'

const urgentMs = 5 * 60_000

/** How long an approval can still be answered. */
export function Expiry({ approval }: { approval: Approval }) {
  if (approval.expires_at === null) return <span class="quiet">doesn’t expire</span>
  const left = Date.parse(approval.expires_at) - now.value
  return (
    <span class={left < urgentMs ? 'urgent' : 'quiet'} title={`expires at ${approval.expires_at}`}>
      {countdown(left)} left
    </span>
  )
}

/** How many have approved of those who have to. */
export function Votes({ approval }: { approval: Approval }) {
  if (approval.required < 2) return null
  return (
    <span class="badge">
      {approval.votes.length} of {approval.required} people
    </span>
  )
}

/** An approval in a list. */
export function ApprovalRow({ approval }: { approval: Approval }) {
  const session = useName(approval.session_id)
  const open = approval.status === 'pending'
  return (
    <>
      <span class="row-head">
        <Foreign class="row-tool" text={approval.kind === 'plan_exit' ? 'Plan' : approval.tool} />
        <Votes approval={approval} />
        {open ? <Expiry approval={approval} /> : <span class={`badge status-${approval.status}`}>{approval.status}</span>}
      </span>
      <Foreign class="row-subject" text={firstLine(approval.plan?.text ?? approval.subject) || '(no subject)'} />
      <span class="row-foot quiet">
        <Foreign text={session} /> · {ago(open ? approval.requested_at : (approval.resolved_at ?? approval.requested_at))}
      </span>
    </>
  )
}

/** More than this of a line is out of sight. */
const lineChars = 300

function firstLine(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]!.replace(/^#+\s/, '')
  return line.length > lineChars ? `${line.slice(0, lineChars)}…` : line
}
