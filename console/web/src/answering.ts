import { signal } from '@preact/signals'
import { answerApproval, GatewayError, type Approval, type OptionId } from '@session-gateway/client'
import { gateway, problemText, reasonOf } from './gateway.ts'
import { say } from './notices.tsx'
import { takeOver } from './tenant.ts'

/** The approval whose answer is on its way. */
export const answering = signal<string | null>(null)

/** The answers that came too late, or were refused, by approval. */
export const refusals = signal<ReadonlyMap<string, string>>(new Map())

/** An answer that comes sooner was meant for the approval before: a key pressed twice, a double click. */
const settleMs = 400

/** The approval that took an answered one's place, and until when it takes no answer. */
let arrived = { aid: '', until: 0 }

/** Says that an approval took an answered one's place by itself. */
export function arrives(aid: string): void {
  arrived = { aid, until: performance.now() + settleMs }
}

/** Answers an approval; says what became of it, and whether it is done with. */
export async function answer(approval: Approval, option: OptionId, feedback?: string): Promise<boolean> {
  if (answering.peek() || (arrived.aid === approval.id && performance.now() < arrived.until)) return false
  answering.value = approval.id
  try {
    const outcome = await answerApproval(gateway, approval, option, feedback)
    takeOver(outcome.approval)
    if (outcome.won) return told(outcome.approval)
    const ended = outcome.approval.status !== 'pending'
    return refuse(approval, `Your answer came too late. ${ended ? resolution(outcome.approval) : problemText(outcome.problem)}`)
  } catch (error) {
    const code = error instanceof GatewayError ? error.problem?.code : undefined
    return refuse(approval, code === 'already_voted' ? 'You have answered this already; others have to.' : reasonOf(error))
  } finally {
    answering.value = null
  }
}

function told(approval: Approval): boolean {
  if (approval.status === 'pending') {
    say(`Your answer counts: ${approval.votes.length} of ${approval.required}.`)
    return false
  }
  say(`${resolution(approval)} (${approval.tool})`)
  return true
}

function refuse(approval: Approval, why: string): false {
  refusals.value = new Map(refusals.peek()).set(approval.id, why)
  say(why, 'problem')
  return false
}

const did: Record<string, string> = {
  allow_once: 'allowed it once',
  allow_session: 'allowed it for this session',
  restore_previous: 'approved the plan',
  auto_edit: 'approved the plan, edits need no approval',
  default: 'approved the plan, each change is asked for',
}

/** Who answered, and what; for an approval that is open still, that. */
export function resolution(approval: Approval): string {
  const by = approval.resolved_by ?? 'Somebody'
  switch (approval.status) {
    case 'pending':
      return 'It is still open.'
    case 'approved':
      return `${by} ${did[approval.option_id ?? ''] ?? 'approved it'}.`
    case 'rejected':
      return `${by} rejected it.`
    case 'expired':
      return 'Nobody answered in time; the call was not run.'
    case 'cancelled':
      return 'The question was withdrawn.'
    case 'stale':
      return 'What was asked about has changed; the question is void.'
  }
}
