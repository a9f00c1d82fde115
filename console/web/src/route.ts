import { computed, signal } from '@preact/signals'

const base = '/console'

/** What the address shows. */
export type Route =
  | { view: 'inbox'; aid: string | null }
  | { view: 'sessions' }
  | { view: 'session'; sid: string }

const path = signal(location.pathname)

addEventListener('popstate', () => {
  path.value = location.pathname
})

/** What is shown now. */
export const route = computed<Route>(() => parse(path.value))

/** Reads an address; one that means nothing is the inbox. */
export function parse(pathname: string): Route {
  const [view, id] = pathname.slice(base.length).split('/').filter(Boolean).map(decode)
  if (view === 'sessions') return id ? { view: 'session', sid: id } : { view: 'sessions' }
  return { view: 'inbox', aid: view === 'approvals' && id ? id : null }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // it is nobody's id then, and says so
  }
}

/** The address of what is shown. */
export function addressOf(to: Route): string {
  switch (to.view) {
    case 'inbox':
      return to.aid ? `${base}/approvals/${encodeURIComponent(to.aid)}` : `${base}/approvals`
    case 'sessions':
      return `${base}/sessions`
    case 'session':
      return `${base}/sessions/${encodeURIComponent(to.sid)}`
  }
}

/** Shows something else; `replace` leaves no step back. */
export function go(to: Route, how: 'push' | 'replace' = 'push'): void {
  const address = addressOf(to)
  if (address === path.value) return
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  path.value = address
}
