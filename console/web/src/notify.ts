import { effect, signal } from '@preact/signals'
import type { Approval } from '@session-gateway/client'
import { go } from './route.ts'
import { plain } from './plain.ts'
import { tenant, waiting } from './tenant.ts'

const supported = typeof Notification !== 'undefined'

/** Whether the browser tells of new approvals while nobody looks; null where it can't. */
export const permission = signal(supported ? Notification.permission : null)

/** Asks the person whether it may. */
export async function askPermission(): Promise<void> {
  permission.value = await Notification.requestPermission()
}

/** Tells of new approvals: in the title, and by the browser while nobody looks. */
export function startNotifying(): () => void {
  let seen: Set<string> | null = null
  return effect(() => {
    const count = waiting.value.length
    document.title = `${count ? `(${count}) ` : ''}Session gateway`
    if (!tenant.value?.ready) return
    const known = seen
    seen = new Set(waiting.value.map((approval) => approval.id))
    if (known && document.hidden) for (const approval of waiting.value) if (!known.has(approval.id)) tell(approval)
  })
}

/** Tabs that tell of the same approval replace each other's notification. */
function tell(approval: Approval): void {
  if (permission.peek() !== 'granted') return
  const title = approval.kind === 'plan_exit' ? 'A plan waits for you' : `${plain(approval.tool)} waits for you`
  const shown = new Notification(title, { body: plain(approval.subject), tag: approval.id })
  shown.onclick = () => {
    focus()
    go({ view: 'inbox', aid: approval.id })
    shown.close()
  }
}
