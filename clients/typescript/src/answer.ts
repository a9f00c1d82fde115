import type { Client } from './client.js'
import { refused, type Problem } from './problem.js'
import type { Approval } from './state/approvals.js'

/** An option of an approval. */
export type OptionId = Approval['options'][number]['id']

/** What became of an answer. */
export type Answered =
  | { won: true; approval: Approval }
  /** Somebody or something was faster: `problem` says who and what, `approval` is as it stands now, if that can be read. */
  | { won: false; approval: Approval; problem: Problem }

/** The codes that say that the question is not open any more. */
const settled: readonly string[] = ['approval_already_resolved', 'approval_stale', 'approval_expired']

/**
 * Answers an approval with one of its options, a plan as it was shown. Where
 * several people have to approve, the approval may still be pending after it.
 * Throws a GatewayError for any other refusal.
 */
export async function answerApproval(client: Client, approval: Approval, option: OptionId, feedback?: string): Promise<Answered> {
  const path = { aid: approval.id }
  const { data, error, response } = await client.POST('/v1/approvals/{aid}/respond', {
    params: { path },
    body: {
      option_id: option,
      ...(feedback !== undefined && { feedback }),
      ...(approval.plan && { plan_sha256: approval.plan.sha256 }),
    },
  })
  if (data) return { won: true, approval: data }
  if (!error || !settled.includes(error.code)) throw refused(response, error)
  const now = await client
    .GET('/v1/approvals/{aid}', { params: { path } })
    .catch(() => ({ data: undefined })) // who won is known all the same
  return { won: false, approval: now.data ?? approval, problem: error }
}
