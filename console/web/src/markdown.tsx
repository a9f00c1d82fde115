import { useMemo } from 'preact/hooks'
import { parseMarkdown, type Block, type Inline, type Item } from './markdown-parse.ts'
import { Foreign, reveal } from './text.tsx'

/** The longest text that is rendered; a plan beyond is shown as it was written. */
const renderedChars = 100_000

/** A Markdown text of a model. Links are written out, not followed: where they lead is the model's word. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => (text.length > renderedChars ? null : parseMarkdown(text)), [text])
  if (!blocks) return <pre class="block">{reveal(text)}</pre>
  return <div class="markdown">{blocks.map((block) => blockOf(block))}</div>
}

function blockOf(block: Block) {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level}>{runs(block.of)}</Heading>
    case 'paragraph':
      return <p dir="auto">{runs(block.of)}</p>
    case 'quote':
      return <blockquote dir="auto">{runs(block.of)}</blockquote>
    case 'code':
      return (
        <pre class="block" tabIndex={0} role="region" aria-label={block.language ? `Code, ${block.language}` : 'Code'}>
          <bdi>{reveal(block.text)}</bdi>
        </pre>
      )
    case 'list':
      return <List {...block} />
    case 'table':
      return <Table {...block} />
    case 'rule':
      return <hr />
  }
}

/** Headings of a document lie below those of the page, which ends with the third. */
function Heading({ level, children }: { level: number; children: preact.ComponentChildren }) {
  return (
    <div class={`md-heading md-h${Math.min(level, 4)}`} role="heading" aria-level={Math.min(level + 3, 6)}>
      {children}
    </div>
  )
}

function List({ ordered, start, items }: { ordered: boolean; start: number; items: Item[] }) {
  const Tag = ordered ? 'ol' : 'ul'
  return (
    <Tag {...(ordered && { start })}>
      {items.map(({ depth, done, of }) => (
        <li class={`md-depth-${depth}${done === null ? '' : ' md-task'}`} dir="auto">
          {done !== null && <span class="md-box">{done ? '☑' : '☐'}</span>}
          {runs(of)}
        </li>
      ))}
    </Tag>
  )
}

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{runs(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{runs(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function runs(parts: Inline[]): preact.ComponentChildren {
  return parts.map((part) => {
    switch (part.kind) {
      case 'text':
        return reveal(part.text)
      case 'code':
        return (
          <code>
            <Foreign text={part.text} />
          </code>
        )
      case 'strong':
        return <strong>{runs(part.of)}</strong>
      case 'em':
        return <em>{runs(part.of)}</em>
      case 'link':
        return (
          <span class="md-link">
            {runs(part.of)} (<Foreign text={part.href} />)
          </span>
        )
    }
  })
}
