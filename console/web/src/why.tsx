import type { Schemas } from '@session-gateway/client'
import { Foreign } from './text.tsx'

const sources: Record<string, string> = {
  tenant: 'a rule of the tenant',
  ancestor: 'a rule of a session above',
  session: 'a rule of the session',
  plan_mode: 'plan mode',
  mode: 'the mode, as no rule matched',
  grant: 'an earlier answer for this session',
}

/** Why a call was decided as it was. */
export function Why({ decision }: { decision: Schemas['Decision'] | undefined }) {
  if (!decision) return null
  return (
    <span class="why">
      by {sources[decision.source] ?? decision.source}
      {decision.pattern !== null && (
        <>
          {': '}
          <code>
            <Foreign text={decision.pattern} />
          </code>
        </>
      )}
    </span>
  )
}
