import { useEffect, useRef } from 'preact/hooks'

/** What keys do, by `KeyboardEvent.key`. */
export type Keys = Record<string, () => void>

/** What a key that is held down goes on doing; nobody answers by holding one. */
const moving = new Set(['j', 'k'])

/** Listens to keys while a view is shown, but not to what is typed into a field. */
export function useKeys(keys: Keys): void {
  const now = useRef(keys)
  now.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return
      if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('a, button, summary')) return
      const key = latin(event)
      const act = now.current[key]
      if (!act || (event.repeat && !moving.has(key))) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

/** The key; where another script is typed, the Latin letter in its place. */
function latin({ key, code }: KeyboardEvent): string {
  return key.length === 1 && key > '\x7f' && code.startsWith('Key') ? code.slice('Key'.length).toLowerCase() : key
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.matches('input, textarea, select') || target.closest('dialog') !== null)
}
