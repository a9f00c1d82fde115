/** An argument and its name. */
export type Named = [name: string, value: unknown]

type Fields = Record<string, unknown>

/** A change of a text, and what else is said of it. */
export interface Edit {
  before: string
  after: string
  rest: Named[]
}

/** Arguments, as a person looks at them. Each is in one place: what is shown is all there is. */
export interface Layout {
  /** What has no better form than its name and value. */
  rest: Named[]
  command: { text: string } | null
  edits: Edit[]
  /** The text of a file that is written. */
  content: { name: string; text: string } | null
}

const commandNames = ['command', 'cmd']
const contentNames = ['content', 'new_content', 'file_text']
const editNames = [
  ['old_string', 'new_string'],
  ['old_text', 'new_text'],
  ['oldText', 'newText'],
] as const

/** Finds what arguments are by their usual names. */
export function layOut(fields: Fields): Layout {
  const command = textIn(fields, commandNames)
  const listed = listedEdits(fields.edits)
  const own = listed ? null : editOf(fields)
  const content = listed || own ? null : textIn(fields, contentNames)
  const taken = new Set([command?.name, content?.name, listed && 'edits'])
  return {
    rest: (own?.rest ?? Object.entries(fields)).filter(([name]) => !taken.has(name)),
    command,
    edits: listed ?? (own ? [{ ...own, rest: [] }] : []),
    content,
  }
}

/** Says whether arguments are an object, as they should be. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textIn(fields: Fields, names: string[]): { name: string; text: string } | null {
  const name = names.find((name) => typeof fields[name] === 'string')
  return name === undefined ? null : { name, text: fields[name] as string }
}

/** Several edits; none where one of them isn't understood: all are shown as they are then. */
function listedEdits(edits: unknown): Edit[] | null {
  if (!Array.isArray(edits) || edits.length === 0) return null
  const read = edits.map((one) => (isFields(one) ? editOf(one) : null))
  return read.every((edit) => edit !== null) ? read : null
}

function editOf(fields: Fields): Edit | null {
  const names = editNames.find((pair) => pair.every((name) => typeof fields[name] === 'string'))
  if (!names) return null
  const [before, after] = names.map((name) => fields[name]) as [string, string]
  const rest = Object.entries(fields).filter(([name]) => name !== names[0] && name !== names[1])
  return { before, after, rest }
}
