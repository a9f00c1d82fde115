import { useEffect, useRef, useState } from 'preact/hooks'
import { signIn } from './gateway.ts'

/** Asks for a key. It is sent once and kept nowhere; a cookie that scripts can't read stands for it then. */
export function SignInPage({ why }: { why: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => field.current?.focus(), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    const key = field.current!.value.trim()
    if (!key || busy) return
    setBusy(true)
    setWrong(await signIn(key))
    setBusy(false)
  }
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>Session gateway</h1>
        <p class="quiet">See what agents do, and answer what they ask.</p>
        <label for="key">Key, or token of your identity provider</label>
        <input id="key" ref={field} type="password" autocomplete="current-password" spellcheck={false} aria-describedby="sign-in-says" required />
        <p id="sign-in-says" role="alert" class="problem">
          {wrong || why}
        </p>
        <button type="submit" class="primary" disabled={busy}>
          Sign in
        </button>
      </form>
    </main>
  )
}
