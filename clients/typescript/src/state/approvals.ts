import type { Schemas } from '../events.js'
import { find, put } from './lists.js'

/** A question to people, and its answer. */
export type Approval = Schemas['Approval']

/**
 * Takes an approval over, wherever it was read. One that has its answer never
 * becomes a question again, and a vote is never forgotten.
 */
export function putApproval(list: readonly Approval[], approval: Approval): readonly Approval[] {
  const known = find(list, approval.id)
  return known && older(approval, known) ? list : put(list, whole(approval, known))
}

/**
 * The approvals of a snapshot, which says all that are open. Those whose answer
 * was seen stay, so that no question comes back; in another history (after
 * `diverged`) they may not exist.
 */
export function fromSnapshot(known: readonly Approval[], open: readonly Approval[], diverged: boolean): readonly Approval[] {
  const answered = diverged ? [] : known.filter((approval) => approval.status !== 'pending')
  return open.map((approval) => whole(approval, find(known, approval.id))).reduce(putApproval, answered)
}

/** An approval whose arguments are only previewed, with the whole ones if they are known. */
function whole(approval: Approval, known: Approval | undefined): Approval {
  if (!approval.arguments_preview || !known || known.arguments_preview) return approval
  const { arguments_preview: _, ...rest } = approval
  return { ...rest, arguments: known.arguments }
}

function older(a: Approval, known: Approval): boolean {
  if (known.status !== 'pending') return a.status === 'pending'
  return a.status === 'pending' && a.votes.length < known.votes.length
}

/** The questions that have no answer yet, the oldest first. */
export function pendingApprovals(list: readonly Approval[]): Approval[] {
  return list
    .filter((approval) => approval.status === 'pending')
    .sort((a, b) => a.requested_at.localeCompare(b.requested_at))
}
