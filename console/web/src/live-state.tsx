import type { Liveness } from '@session-gateway/client'
import { countdown, now as clock } from './clock.ts'

/** How the connection is, as it is: what is shown may be old while it isn't live. */
export function LiveState({ now, reset }: { now: Liveness; reset?: string | null }) {
  return (
    <span class={`live live-${now.phase}`} role="status" data-phase={now.phase}>
      <span class="live-dot" aria-hidden="true" />
      {words(now)}
      {reset && <span class="live-reset"> · history was cut ({reset})</span>}
    </span>
  )
}

function words(now: Liveness): string {
  switch (now.phase) {
    case 'connecting':
      return 'connecting'
    case 'catching_up':
      return 'catching up'
    case 'live':
      return 'live'
    case 'waiting':
      return `offline, next try in ${countdown(now.until - clock.value)}`
    case 'ended':
      return now.cause ? 'ended' : 'closed'
  }
}
