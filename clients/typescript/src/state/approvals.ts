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
  return known && older(approval, known) ? list : put(list, approval)
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
