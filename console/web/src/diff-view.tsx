import { useMemo, useState } from 'preact/hooks'
import { diffLines, withContext, type DiffLine } from './diff.ts'
import { reveal } from './text.tsx'

/** How many lines are laid out at first, and how many more each time that they are asked for. */
const [firstLines, moreLines] = [2000, 10_000]

const signs = { same: ' ', added: '+', removed: '−' } as const
const spoken = { same: '', added: 'added: ', removed: 'removed: ' } as const

/** What became of a text, line by line. */
export function DiffView({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => withContext(diffLines(before, after)), [before, after])
  const [shown, setShown] = useState(firstLines)
  const changed = lines.some((line) => line && line.kind !== 'same')
  const end = lastLineEnd(before, after)
  const missing = lines.length - shown
  if (before === after) return <p class="quiet">{after === '' ? 'It is empty.' : 'Nothing differs.'}</p>
  return (
    <>
      {changed && (
        <div class="diff" role="region" aria-label={label} tabIndex={0}>
          {lines.slice(0, shown).map((line) => (line ? <Line {...line} /> : <div class="diff-gap">⋯</div>))}
          {missing > 0 && <div class="diff-gap">{missing} more lines are not shown</div>}
        </div>
      )}
      {missing > 0 && (
        <button type="button" onClick={() => setShown(shown + moreLines)}>
          Show {Math.min(missing, moreLines)} more lines
        </button>
      )}
      {end && <p class="quiet">{end}</p>}
    </>
  )
}

/** What lines don't show: whether the last one has an end. */
function lastLineEnd(before: string, after: string): string {
  if (before === '' || after === '' || before.endsWith('\n') === after.endsWith('\n')) return ''
  return after.endsWith('\n') ? 'The last line gets a line end.' : 'The last line loses its line end.'
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
