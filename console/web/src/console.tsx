import { useEffect } from 'preact/hooks'
import { farewell, resume, signOut, who } from './gateway.ts'
import { Help, helping } from './help.tsx'
import { Inbox } from './inbox.tsx'
import { useKeys } from './keys.ts'
import { Link } from './link.tsx'
import { LiveState } from './live-state.tsx'
import { Notices, say } from './notices.tsx'
import { askPermission, permission, startNotifying } from './notify.ts'
import { go, route } from './route.ts'
import { SessionPage } from './session-page.tsx'
import { Sessions } from './sessions.tsx'
import { SignInPage } from './sign-in.tsx'
import { liveness, tenant, waiting } from './tenant.ts'
import { Foreign } from './text.tsx'

/** The whole page. */
export function Console() {
  useEffect(() => {
    void resume()
    return startNotifying()
  }, [])
  if (who.value === undefined) return <p class="empty">{farewell.value || 'Asking the gateway…'}</p>
  return (
    <>
      {who.value ? <Shell key={who.value.csrf_token} /> : <SignInPage why={farewell.value} />}
      <Notices />
    </>
  )
}

function Shell() {
  useKeys({
    g: () => go({ view: 'inbox', aid: null }),
    h: () => go({ view: 'sessions' }),
    '?': () => (helping.value = true),
  })
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Bar />
      <main id="main" tabIndex={-1}>
        <View />
      </main>
      <Help />
    </div>
  )
}

function View() {
  const now = route.value
  if (!tenant.value) return <p class="empty">This key administers tenants; sessions and approvals are not for it.</p>
  switch (now.view) {
    case 'inbox':
      return <Inbox aid={now.aid} />
    case 'sessions':
      return <Sessions />
    case 'session':
      return <SessionPage key={now.sid} sid={now.sid} />
  }
}

function Bar() {
  const now = route.value
  const count = waiting.value.length
  return (
    <header class="bar">
      <span class="brand">Session gateway</span>
      <nav aria-label="Views">
        <Link to={{ view: 'inbox', aid: null }} current={now.view === 'inbox'}>
          Approvals {count > 0 && <span class="count count-hot">{count}</span>}
        </Link>
        <Link to={{ view: 'sessions' }} current={now.view !== 'inbox'}>
          Sessions
        </Link>
      </nav>
      <div class="bar-end">
        {liveness.value && <LiveState now={liveness.value} />}
        {permission.value === 'default' && (
          <button type="button" class="plain" onClick={() => void askPermission()}>
            Notify me
          </button>
        )}
        <button type="button" class="plain" aria-label="Keys" onClick={() => (helping.value = true)}>
          ?
        </button>
        <span class="who quiet">
          <Foreign text={`${who.value?.subject} · ${who.value?.tenant}`} />
        </span>
        <button type="button" class="plain" onClick={() => void leave()}>
          Sign out
        </button>
      </div>
    </header>
  )
}

async function leave(): Promise<void> {
  const problem = await signOut()
  if (problem) say(`You are still signed in. ${problem}`, 'problem')
}
