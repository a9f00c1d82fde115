import type { Approval, OptionId } from '@session-gateway/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { answer, answering } from './answering.ts'
import { mayAct } from './gateway.ts'
import { useKeys, type Keys } from './keys.ts'

/** The key of each option; an approval has one option for a key. */
const keyOf: Record<OptionId, string> = {
  allow_once: 'a',
  allow_session: 's',
  restore_previous: 'a',
  auto_edit: 's',
  default: 'd',
  reject: 'r',
}

/** The options of an approval. A rejection is sent with what should be done instead, or without. */
export function AnswerBar({ approval, next }: { approval: Approval; next: () => void }) {
  const [rejecting, setRejecting] = useState(false)
  const send = async (option: OptionId, feedback?: string) => {
    if (await answer(approval, option, feedback)) next()
  }
  const choose = (option: OptionId) => (option === 'reject' ? setRejecting(true) : void send(option))
  const enabled = mayAct()
  useKeys(enabled && !rejecting ? keysOf(approval, choose) : {})
  if (!enabled) return <p class="answer-bar quiet">Your key may look, not answer.</p>
  if (rejecting) return <Rejection send={(feedback) => void send('reject', feedback)} back={() => setRejecting(false)} />
  const busy = answering.value !== null
  return (
    <div class="answer-bar" role="group" aria-label="Your answer">
      {approval.options.map(({ id, label, kind }) => (
        <button type="button" class={`option-${kind}`} data-option={id} disabled={busy} aria-keyshortcuts={keyOf[id]} onClick={() => choose(id)}>
          {label} <kbd>{keyOf[id]}</kbd>
        </button>
      ))}
    </div>
  )
}

function keysOf(approval: Approval, choose: (option: OptionId) => void): Keys {
  return Object.fromEntries(approval.options.map(({ id }) => [keyOf[id], () => choose(id)]))
}

function Rejection({ send, back }: { send: (feedback?: string) => void; back: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    send(field.current!.value.trim() || undefined)
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') back()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  return (
    <form class="answer-bar rejection" onSubmit={submit}>
      <label for="feedback">What should be done instead? The model reads it.</label>
      <textarea id="feedback" ref={field} rows={3} maxLength={4000} onKeyDown={pressed} />
      <div class="buttons">
        <button type="submit" class="option-reject_once" disabled={answering.value !== null}>
          Reject <kbd>Ctrl ⏎</kbd>
        </button>
        <button type="button" onClick={back}>
          Back
        </button>
      </div>
    </form>
  )
}
