import { Hazards, Marked } from './command.tsx'
import { DiffView } from './diff-view.tsx'
import { isFields, layOut, type Edit, type Named } from './layout.ts'
import { Block, Foreign } from './text.tsx'

/** The arguments of a call, as what they are: a change as a diff, a command as a command, the rest by name. */
export function Arguments({ value, preview }: { value: unknown; preview?: boolean }) {
  if (!isFields(value)) return <Block text={textOf(value)} label="Arguments" />
  const { rest, command, edits, content } = layOut(value)
  return (
    <div class="arguments">
      {preview && <p class="quiet">A preview; the whole is being fetched.</p>}
      {isRounded(value) && <p class="quiet">Numbers beyond 2⁵³ are rounded here; the call has them exactly.</p>}
      <Fields fields={rest} />
      {command && <Command text={command.text} />}
      {edits.map((edit, at) => (
        <Change key={at} edit={edit} label={edits.length > 1 ? `Change ${at + 1}` : 'Change'} />
      ))}
      {content && (
        <>
          <h4>{content.name}, all of it new</h4>
          <DiffView before="" after={content.text} label={content.name} />
        </>
      )}
    </div>
  )
}

function Change({ edit, label }: { edit: Edit; label: string }) {
  return (
    <>
      <Fields fields={edit.rest} />
      <DiffView before={edit.before} after={edit.after} label={label} />
    </>
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

function Fields({ fields }: { fields: Named[] }) {
  if (fields.length === 0) return null
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

/** A line is what fits beside its name. */
const lineChars = 120

const isLine = (value: unknown) => typeof value !== 'object' && textOf(value).length <= lineChars && !textOf(value).includes('\n')

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Says whether there is a number that JavaScript can't hold. */
function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(isRounded)
}
