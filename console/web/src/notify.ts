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
    if (known && document.hidden) tellOf(waiting.value.filter((approval) => !known.has(approval.id)))
  })
}

/** How many that come together are told one by one. */
const toldSingly = 3

function tellOf(fresh: Approval[]): void {
  if (fresh.length > toldSingly) tell(`${fresh.length} approvals wait for you`, '', 'many', null)
  else for (const approval of fresh) tell(titleOf(approval), plain(approval.subject), approval.id, approval.id)
}

function titleOf(approval: Approval): string {
  return approval.kind === 'plan_exit' ? 'A plan waits for you' : `${plain(approval.tool)} waits for you`
}

/** Tabs that tell of the same thing replace each other's notification, by its tag. */
function tell(title: string, body: string, tag: string, aid: string | null): void {
  if (permission.peek() !== 'granted') return
  try {
    const shown = new Notification(title, { body, tag })
    shown.onclick = () => {
      focus()
      go({ view: 'inbox', aid })
      shown.close()
    }
  } catch {
    permission.value = null // browsers of phones have them for service workers only; the title counts all the same
  }
}
