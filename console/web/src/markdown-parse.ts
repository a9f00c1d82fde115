/** A run of text in a paragraph. A link is only its text and address: nothing of it is ever fetched. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; of: Inline[] }
  | { kind: 'link'; of: Inline[]; href: string }

/** A block of a document. */
export type Block =
  | { kind: 'heading'; level: number; of: Inline[] }
  | { kind: 'paragraph' | 'quote'; of: Inline[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'list'; ordered: boolean; start: number; items: Item[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

/** An item of a list; `done` is set for tasks. */
export interface Item {
  depth: number
  done: boolean | null
  of: Inline[]
}

/**
 * Reads the Markdown that plans are written in: headings, paragraphs, lists,
 * tasks, code, quotes, tables, emphasis, links. What it doesn't know stays text,
 * so that a person sees everything that the model wrote. It never makes HTML.
 */
export function parseMarkdown(text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at)
    if (block) blocks.push(block)
    at = next
  }
  return blocks
}

const fence = /^\s{0,3}(`{3,}|~{3,})\s*([^`]*)$/
const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const rule = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/
const bullet = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/
const task = /^\[([ xX])\]\s+(.*)$/
const quote = /^\s{0,3}>\s?(.*)$/
const divider = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

type Read = [Block | null, number]

function readBlock(lines: string[], at: number): Read {
  const line = lines[at]!
  if (line.trim() === '') return [null, at + 1]
  const open = fence.exec(line)
  if (open) return readCode(lines, at, open)
  const title = heading.exec(line)
  if (title) return [{ kind: 'heading', level: title[1]!.length, of: parseInline(title[2]!) }, at + 1]
  if (rule.test(line)) return [{ kind: 'rule' }, at + 1]
  if (bullet.test(line)) return readList(lines, at)
  if (quote.test(line)) return readQuote(lines, at)
  if (line.includes('|') && divider.test(lines[at + 1] ?? '')) return readTable(lines, at)
  return readParagraph(lines, at)
}

function readCode(lines: string[], at: number, open: RegExpExecArray): Read {
  const mark = open[1]!
  const isEnd = (line: string) => {
    const trimmed = line.trim()
    return trimmed.length >= mark.length && trimmed === mark[0]!.repeat(trimmed.length)
  }
  let end = at + 1
  while (end < lines.length && !isEnd(lines[end]!)) end++
  return [{ kind: 'code', text: lines.slice(at + 1, end).join('\n'), language: open[2]!.trim() }, end + 1]
}

function readList(lines: string[], at: number): Read {
  const items: Item[] = []
  const first = bullet.exec(lines[at]!)![2]!
  const ordered = /\d/.test(first)
  let next = at
  for (; next < lines.length; next++) {
    const found = bullet.exec(lines[next]!)
    if (found && !rule.test(lines[next]!)) {
      const done = task.exec(found[3]!)
      items.push({
        depth: Math.min(5, Math.floor(found[1]!.replace(/\t/g, '    ').length / 2)),
        done: done ? done[1] !== ' ' : null,
        of: parseInline(done ? done[2]! : found[3]!),
      })
    } else if (/^\s+\S/.test(lines[next]!) && items.length > 0) {
      items.at(-1)!.of.push({ kind: 'text', text: ' ' }, ...parseInline(lines[next]!.trim()))
    } else break
  }
  return [{ kind: 'list', ordered, start: ordered ? Number.parseInt(first, 10) : 1, items }, next]
}

function readQuote(lines: string[], at: number): Read {
  let next = at
  const said: string[] = []
  for (let found; next < lines.length && (found = quote.exec(lines[next]!)); next++) said.push(found[1]!)
  return [{ kind: 'quote', of: parseInline(said.join('\n')) }, next]
}

function readTable(lines: string[], at: number): Read {
  let next = at + 2
  const rows: Inline[][][] = []
  for (; next < lines.length && lines[next]!.includes('|'); next++) rows.push(cells(lines[next]!))
  return [{ kind: 'table', head: cells(lines[at]!), rows }, next]
}

function cells(line: string): Inline[][] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => parseInline(cell.trim()))
}

function readParagraph(lines: string[], at: number): Read {
  let next = at + 1
  while (next < lines.length && isText(lines[next]!)) next++
  return [{ kind: 'paragraph', of: parseInline(lines.slice(at, next).join('\n')) }, next]
}

function isText(line: string): boolean {
  return line.trim() !== '' && ![fence, heading, rule, bullet, quote].some((other) => other.test(line))
}

/** Nesting beyond this is text: nobody writes it, and it costs nothing to read. */
const maxDepth = 8

// Each alternative begins with its own character and can't fail slowly: no part matches in two ways.
const inline = /(`+)([^`]+)\1(?!`)|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\s][^*\n]*)\*|\b_([^_\s][^_\n]*)_\b|\[([^[\]\n]+)\]\(([^()\s]+)\)/g

/** Reads emphasis, code and links of a text. */
export function parseInline(text: string, depth = 0): Inline[] {
  if (depth > maxDepth) return [{ kind: 'text', text }]
  const parts: Inline[] = []
  let from = 0
  for (const found of text.matchAll(inline)) {
    if (found.index > from) parts.push({ kind: 'text', text: text.slice(from, found.index) })
    parts.push(inlineOf(found, depth + 1))
    from = found.index + found[0].length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

function inlineOf(found: RegExpExecArray, depth: number): Inline {
  const [, , code, strong, strong2, em, em2, label, href] = found
  if (code !== undefined) return { kind: 'code', text: code }
  if (label !== undefined) return { kind: 'link', of: parseInline(label, depth), href: href! }
  const bold = strong ?? strong2
  return bold !== undefined ? { kind: 'strong', of: parseInline(bold, depth) } : { kind: 'em', of: parseInline(em ?? em2!, depth) }
}
