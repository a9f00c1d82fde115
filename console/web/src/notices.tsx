import { signal } from '@preact/signals'
import { reveal } from './text.tsx'

interface Notice {
  id: number
  text: string
  kind: 'news' | 'problem'
}

const notices = signal<readonly Notice[]>([])
const shownMs = 6000
let last = 0

/** Says something at the edge of the page for a while, and to screen readers. */
export function say(text: string, kind: Notice['kind'] = 'news'): void {
  const id = ++last
  notices.value = [...notices.peek().slice(-2), { id, text, kind }]
  setTimeout(() => {
    notices.value = notices.peek().filter((notice) => notice.id !== id)
  }, shownMs)
}

/** What was said lately. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, kind }) => (
        <div key={id} class={`notice notice-${kind}`}>
          {reveal(text)}
        </div>
      ))}
    </div>
  )
}
