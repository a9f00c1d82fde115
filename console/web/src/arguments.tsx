import { Hazards, Marked } from './command.tsx'
import { DiffView } from './diff-view.tsx'
import { Block, Foreign } from './text.tsx'

type Fields = Record<string, unknown>

/** The arguments of a call, as what they are: a change as a diff, a command as a command, the rest by name. */
export function Arguments({ value, preview }: { value: unknown; preview?: boolean }) {
  if (!isFields(value)) return <Block text={textOf(value)} label="Arguments" />
  const command = first(value, commandNames)
  const edits = editsOf(value)
  const content = first(value, contentNames)
  const taken = [command, content].flatMap((name) => (name === undefined ? [] : [name])).concat(edits.length > 0 ? editNames : [])
  const rest = Object.entries(value).filter(([name]) => !taken.includes(name))
  return (
    <div class="arguments">
      {preview && <p class="quiet">A preview; the whole is being fetched.</p>}
      {rest.length > 0 && <Named fields={rest} />}
      {command !== undefined && <Command text={value[command] as string} />}
      {edits.map((edit, at) => (
        <DiffView key={at} before={edit.before} after={edit.after} label={edits.length > 1 ? `Change ${at + 1}` : 'Change'} />
      ))}
      {content !== undefined && edits.length === 0 && (
        <>
          <h4>{content}, all of it new</h4>
          <DiffView before="" after={value[content] as string} label={content} />
        </>
      )}
    </div>
  )
}

function Command({ text }: { text: string }) {
  return (
    <>
      <Hazards text={text} />
      <pre class="block command" tabIndex={0} role="region" aria-label="Command">
        <Marked text={text} />
      </pre>
    </>
  )
}

function Named({ fields }: { fields: [string, unknown][] }) {
  return (
    <dl class="named">
      {fields.map(([name, value]) => (
        <div>
          <dt>
            <Foreign text={name} />
          </dt>
          <dd>{isLine(value) ? <code>{<Foreign text={textOf(value)} />}</code> : <Block text={textOf(value)} label={name} />}</dd>
        </div>
      ))}
    </dl>
  )
}

const commandNames = ['command', 'cmd']
const contentNames = ['content', 'new_content', 'file_text']
const editNames = ['old_string', 'new_string', 'old_text', 'new_text', 'oldText', 'newText', 'edits']

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const first = (fields: Fields, names: string[]) => names.find((name) => typeof fields[name] === 'string')

/** A line is what fits beside its name. */
const lineChars = 120

const isLine = (value: unknown) => typeof value !== 'object' && textOf(value).length <= lineChars && !textOf(value).includes('\n')

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

interface Edit {
  before: string
  after: string
}

function editsOf(fields: Fields): Edit[] {
  const listed = Array.isArray(fields.edits) ? fields.edits : [fields]
  const edits = listed.map((one) => (isFields(one) ? editOf(one) : null))
  return edits.includes(null) ? [] : (edits as Edit[]) // one that isn't understood: all are shown as they are
}

function editOf(fields: Fields): Edit | null {
  const before = fields.old_string ?? fields.old_text ?? fields.oldText
  const after = fields.new_string ?? fields.new_text ?? fields.newText
  return typeof before === 'string' && typeof after === 'string' ? { before, after } : null
}
