import type { Approval, Schemas } from '@session-gateway/client'
import { useEffect, useState } from 'preact/hooks'
import { gateway } from './gateway.ts'

/** What rules see of an open approval's call; nothing while it isn't known. */
export function useExplanation(approval: Approval): Schemas['ExplainedCall'] | undefined {
  const [explained, setExplained] = useState<Schemas['ExplainedCall']>()
  const open = approval.status === 'pending' && !approval.arguments_preview
  useEffect(() => {
    if (!open) return
    const leaving = new AbortController()
    explain(approval, leaving.signal).then(setExplained, () => undefined) // it is a help, not the question
    return () => leaving.abort()
  }, [approval.id, approval.mode_revision, open])
  return explained
}

/** The call goes under an id of its own, or it would be a duplicate of itself. */
async function explain(approval: Approval, signal: AbortSignal): Promise<Schemas['ExplainedCall'] | undefined> {
  const { data } = await gateway.POST('/v1/sessions/{sid}/explain', {
    params: { path: { sid: approval.session_id } },
    body: { calls: [{ id: `explain-${approval.id}`, name: approval.tool, arguments: approval.arguments }] },
    signal,
  })
  return data?.calls[0]
}
