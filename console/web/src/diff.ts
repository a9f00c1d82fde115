/** A line and what became of it. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/**
 * The most line pairs that are compared: more would stop the page. A middle
 * that is larger is shown as removed and then added, which is true as well.
 */
const maxPairs = 1_000_000

/** Says which lines of one text became the other. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [
    ...a.slice(0, start).map(line('same')),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(line('same')),
  ]
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

const line = (kind: DiffLine['kind']) => (text: string): DiffLine => ({ kind, text })

function middle(a: string[], b: string[]): DiffLine[] {
  if (a.length * b.length > maxPairs) return [...a.map(line('removed')), ...b.map(line('added'))]
  return walk(a, b, commonLengths(a, b))
}

/** How many lines the rest of both from each pair on has in common, row after row. */
function commonLengths(a: string[], b: string[]): Uint32Array {
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  return common
}

function walk(a: string[], b: string[], common: Uint32Array): DiffLine[] {
  const width = b.length + 1
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i++]! })
      j++
    } else if (j === b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      lines.push({ kind: 'removed', text: a[i++]! })
    } else {
      lines.push({ kind: 'added', text: b[j++]! })
    }
  }
  return lines
}

/** Leaves out what didn't change, but for some lines around changes; null stands for what is left out. */
export function withContext(lines: DiffLine[], around = 3): (DiffLine | null)[] {
  const near = new Uint8Array(lines.length)
  lines.forEach(({ kind }, at) => {
    if (kind !== 'same') near.fill(1, Math.max(0, at - around), at + around + 1)
  })
  const shown: (DiffLine | null)[] = []
  lines.forEach((line, at) => {
    if (near[at]) shown.push(line)
    else if (shown.at(-1) !== null) shown.push(null)
  })
  return shown
}
