import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { hidden, nameOf, plain } from './plain.ts'

/** How many hidden characters of a text get a mark of their own; a megabyte of them would stop the page. */
const maxMarks = 2000

/** Splits a text into what can be read as it is and what is named. */
export function reveal(text: string): (string | VNode)[] {
  const parts: (string | VNode)[] = []
  let from = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > from) parts.push(text.slice(from, match.index))
    if (parts.length > maxMarks) return [...parts, plain(text.slice(match.index), Number.POSITIVE_INFINITY)]
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

/** A text of many lines. Of a long one the beginning and the end, until the whole is asked for. */
export function Block({ text, label }: { text: string; label?: string }) {
  const [whole, setWhole] = useState(false)
  const half = shownChars / 2
  const cut = !whole && text.length > shownChars
  const missing = `${(text.length - shownChars).toLocaleString('en')} characters`
  return (
    <>
      <pre class="block" tabIndex={0} role="region" aria-label={label ?? 'Text'}>
        <bdi>{reveal(cut ? text.slice(0, half) : text)}</bdi>
        {cut && <span class="cut">{` … ${missing} are not shown … `}</span>}
        {cut && <bdi>{reveal(text.slice(-half))}</bdi>}
      </pre>
      {cut && (
        <button type="button" onClick={() => setWhole(true)}>
          Show the {missing} between
        </button>
      )}
    </>
  )
}
