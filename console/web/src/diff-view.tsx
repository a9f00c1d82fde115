import { useMemo } from 'preact/hooks'
import { diffLines, withContext, type DiffLine } from './diff.ts'
import { reveal } from './text.tsx'

/** The most lines that are laid out at once. */
const shownLines = 2000

const signs = { same: ' ', added: '+', removed: '−' } as const
const spoken = { same: '', added: 'added: ', removed: 'removed: ' } as const

/** What became of a text, line by line. */
export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => withContext(diffLines(before, after)), [before, after])
  const changed = lines.some((line) => line && line.kind !== 'same')
  if (!changed) return <p class="quiet">Nothing differs.</p>
  return (
    <div class="diff" role="region" aria-label={label} tabIndex={0}>
      {lines.slice(0, shownLines).map((line) => (line ? <Line {...line} /> : <div class="diff-gap">⋯</div>))}
      {lines.length > shownLines && <div class="diff-gap">{lines.length - shownLines} more lines are not shown</div>}
    </div>
  )
}

function Line({ kind, text }: DiffLine) {
  return (
    <div class={`diff-line diff-${kind}`}>
      <span class="diff-sign" aria-hidden="true">
        {signs[kind]}
      </span>
      <span class="spoken">{spoken[kind]}</span>
      <bdi>{reveal(text)}</bdi>
    </div>
  )
}
