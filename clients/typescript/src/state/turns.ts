import type { Schemas } from '../events.js'
import { change, find, put } from './lists.js'

/** A turn with what was said in it. */
export interface TurnView extends Readonly<Schemas['Turn']> {
  readonly text: string
  /** Its beginning was not seen: only the route has its whole text. */
  readonly partial: boolean
}

type Turns = readonly TurnView[]

/** Begins a turn that was seen from its start. */
export function startTurn(list: Turns, turn: Schemas['Turn']): Turns {
  return put(list, { ...turn, text: '', partial: false })
}

/** Adds to what was said in a turn that was seen from its start. */
export function say(list: Turns, delta: Schemas['MessageDelta']): Turns {
  return change(list, delta.turn_id, (turn) => (turn.partial ? turn : { ...turn, text: turn.text + delta.text }))
}

/**
 * Takes over a turn that was read by its route, or its end. A turn that has
 * ended stays so, and a text that was heard whole stays as well.
 */
export function putTurn(list: Turns, turn: Schemas['Turn']): Turns {
  const known = find(list, turn.id)
  if (!known) return put(list, { ...turn, text: turn.text ?? '', partial: turn.status === 'open' || turn.text === undefined })
  if (known.status === 'completed' && turn.status === 'open') return list
  const whole = turn.status === 'completed' && turn.text !== undefined
  const text = turn.text !== undefined && (known.partial || whole) ? turn.text : known.text
  return put(list, { ...known, ...turn, text, partial: known.partial && !whole })
}
