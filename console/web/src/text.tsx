import type { VNode } from 'preact'
import { hidden, nameOf } from './plain.ts'

/** Splits a text into what can be read as it is and what is named. */
export function reveal(text: string): (string | VNode)[] {
  const parts: (string | VNode)[] = []
  let from = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push(<mark class="hidden-char">{nameOf(match[0])}</mark>)
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** A text that a model, a host or another person wrote: all of it can be seen, and nothing of it leaves its place. */
export function Foreign({ text, class: kind }: { text: string; class?: string }) {
  return <bdi class={kind}>{reveal(text)}</bdi>
}

/** The longest text that is laid out at once; browsers take seconds for megabytes. */
const shownChars = 20_000

/** A text of many lines. Of a long one the beginning and the end, and how much is between. */
export function Block({ text, label }: { text: string; label?: string }) {
  const half = shownChars / 2
  const cut = text.length > shownChars
  return (
    <pre class="block" tabIndex={0} role="region" aria-label={label ?? 'Text'}>
      <bdi>{reveal(cut ? text.slice(0, half) : text)}</bdi>
      {cut && <span class="cut">{` … ${(text.length - shownChars).toLocaleString('en')} characters are not shown … `}</span>}
      {cut && <bdi>{reveal(text.slice(-half))}</bdi>}
    </pre>
  )
}
