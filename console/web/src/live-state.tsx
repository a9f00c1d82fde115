import type { Liveness } from '@session-gateway/client'
import { countdown, here } from './clock.ts'

/** How the connection is, as it is: what is shown may be old while it isn't live. */
export function LiveState({ now, reset }: { now: Liveness; reset?: string | null }) {
  return (
    <span class={`live live-${now.phase}`} role="status" data-phase={now.phase}>
      <span class="live-dot" aria-hidden="true" />
      {words[now.phase]}
      {now.phase === 'waiting' && <span aria-hidden="true">, next try in {countdown(now.until - here.value)}</span>}
      {now.phase === 'ended' && now.cause && ': the gateway sends no more'}
      {reset && <span class="live-reset"> · history was cut ({reset})</span>}
    </span>
  )
}

const words: Record<Liveness['phase'], string> = {
  connecting: 'connecting',
  catching_up: 'catching up',
  live: 'live',
  waiting: 'offline',
  ended: 'ended',
}
