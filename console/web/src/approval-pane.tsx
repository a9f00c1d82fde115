import type { Approval } from '@session-gateway/client'
import { useEffect, useState } from 'preact/hooks'
import { AnswerBar } from './answer-bar.tsx'
import { refusals, resolution } from './answering.ts'
import { Expiry, Votes } from './approval-row.tsx'
import { Arguments } from './arguments.tsx'
import { ago } from './clock.ts'
import { Seen } from './command.tsx'
import { useExplanation } from './explaining.ts'
import { reasonOf } from './gateway.ts'
import { Link } from './link.tsx'
import { useName } from './names.ts'
import { PlanReview } from './plan-review.tsx'
import { liveness, readApproval } from './tenant.ts'
import { Foreign, reveal } from './text.tsx'
import { Why } from './why.tsx'

interface PaneProps {
  aid: string
  known: Approval | undefined
  next: () => void
}

/** One approval with all that is to be known for an answer. */
export function ApprovalPane({ aid, known, next }: PaneProps) {
  const missing = useWhole(aid, known)
  if (!known) return <p class="empty">{missing || 'Asking the gateway…'}</p>
  const plan = known.kind === 'plan_exit'
  return (
    <article class="pane" aria-labelledby="pane-title">
      <Link class="back" to={{ view: 'inbox', aid: null }}>
        ← All approvals
      </Link>
      <h2 id="pane-title" tabIndex={-1}>
        {plan ? 'A plan to approve' : <Foreign text={known.tool} />}
      </h2>
      <Facts approval={known} />
      <Outcome approval={known} />
      {plan ? <PlanReview approval={known} /> : <ToolCall approval={known} />}
      {known.status === 'pending' && <AnswerBar approval={known} next={next} />}
    </article>
  )
}

/** Fetches what events only preview, and approvals that no event told of, each time the gateway is back; says why there is none. */
function useWhole(aid: string, known: Approval | undefined): string {
  const [problem, setProblem] = useState('')
  const reached = liveness.value?.phase === 'live'
  const wanted = reached && (!known || known.arguments_preview === true)
  useEffect(() => {
    if (wanted) readApproval(aid).then(setProblem, (error) => setProblem(reasonOf(error)))
  }, [aid, wanted])
  return problem
}

function Facts({ approval }: { approval: Approval }) {
  const session = useName(approval.session_id)
  return (
    <p class="facts">
      <Link to={{ view: 'session', sid: approval.session_id }}>
        <Foreign text={session} />
      </Link>
      <span class="quiet">asked {ago(approval.requested_at)}</span>
      {approval.resolved_at && <span class="quiet">ended {ago(approval.resolved_at)}</span>}
      {approval.status === 'pending' && <Expiry approval={approval} />}
      <Votes approval={approval} />
    </p>
  )
}

/** How the approval ended, and whether this person was too late. */
function Outcome({ approval }: { approval: Approval }) {
  const refusal = refusals.value.get(approval.id)
  return (
    <div aria-live="polite">
      {refusal && (
        <p class="outcome outcome-lost" data-outcome="refused">
          {reveal(refusal)}
        </p>
      )}
      {approval.status !== 'pending' && !refusal && (
        <p class={`outcome outcome-${approval.status}`} data-outcome={approval.status}>
          {reveal(resolution(approval))}
        </p>
      )}
      {approval.status !== 'pending' && approval.feedback && (
        <blockquote class="feedback">
          <Foreign text={approval.feedback} />
        </blockquote>
      )}
      {approval.status === 'pending' &&
        approval.votes.map((vote) => (
          <p class="quiet">
            <Foreign text={vote.by} /> approved
          </p>
        ))}
    </div>
  )
}

function ToolCall({ approval }: { approval: Approval }) {
  const explained = useExplanation(approval)
  return (
    <>
      {approval.subject && !isArgument(approval) && (
        <p class="subject">
          <span class="spoken">Subject: </span>
          <code>
            <Foreign text={approval.subject} />
          </code>
        </p>
      )}
      {explained?.decision && (
        <p class="asked-why">
          Asked <Why decision={explained.decision} />
        </p>
      )}
      <Arguments value={approval.arguments} preview={approval.arguments_preview} />
      {explained && <Seen call={explained} subject={approval.subject} />}
    </>
  )
}

/** A subject that stands among the arguments needs no line of its own. */
function isArgument({ arguments: given, subject }: Approval): boolean {
  return typeof given === 'object' && given !== null && Object.values(given).includes(subject)
}
