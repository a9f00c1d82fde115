import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** Whether the list of keys is shown. */
export const helping = signal(false)

const keys: [string, string][] = [
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open, or unfold'],
  ['a', 'allow once; for a plan: approve'],
  ['s', 'allow for this session; for a plan: approve, edits need no approval'],
  ['d', 'for a plan: approve, and ask before each change'],
  ['r', 'reject, with what to do instead'],
  ['Esc', 'back to the list'],
  ['g', 'approvals'],
  ['h', 'sessions'],
  ['?', 'this list'],
]

/** What the keys do. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (helping.value) dialog.current?.showModal()
    else dialog.current?.close()
  }, [helping.value])
  const close = () => {
    helping.value = false
  }
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {keys.map(([key, does]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  )
}
