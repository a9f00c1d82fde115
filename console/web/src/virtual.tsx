import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { Heights } from './heights.ts'

interface VirtualProps<T> {
  items: readonly T[]
  keyOf: (item: T) => string
  /** How high an item is likely to be, in pixels, until it was measured. */
  estimate: number
  children: (item: T, at: number) => ComponentChildren
  label: string
  class?: string
  /** The item that has to be in sight. */
  reveal?: string | null
  /** Stays at the end while it is there. */
  follow?: boolean
}

/** How much is laid out above and below what is in sight, in pixels. */
const margin = 600

/** A list that lays out what is in sight only, of items of any height. */
export function Virtual<T>(props: VirtualProps<T>) {
  const { items, keyOf, estimate, follow, reveal } = props
  const box = useRef<HTMLDivElement>(null)
  const heights = useRef<Heights>(null)
  heights.current ??= new Heights(estimate)
  heights.current.order(useMemo(() => items.map(keyOf), [items]))
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const atEnd = useRef(follow ?? false)
  const view = box.current
  const from = heights.current.indexAt((view?.scrollTop ?? 0) - margin)
  const to = heights.current.indexAt((view?.scrollTop ?? 0) + (view?.clientHeight ?? 800) + margin) + 1
  const shown = items.slice(from, to)

  const onScroll = ({ currentTarget: el }: { currentTarget: HTMLElement }) => {
    atEnd.current = el.scrollHeight - el.scrollTop - el.clientHeight < 8
    redraw(undefined)
  }

  // What was laid out is measured. What turns out higher above the first item in sight moves the view with it.
  useLayoutEffect(() => {
    const el = box.current!
    const rows = Array.from(el.querySelectorAll(':scope > [role=listitem]'), (row) => row.getBoundingClientRect().height)
    const moved = heights.current!.measured(from, rows, el.scrollTop)
    if (follow && atEnd.current) el.scrollTop = el.scrollHeight
    else if (moved.above) el.scrollTop += moved.above
    if (moved.any) redraw(undefined)
  })

  useLayoutEffect(() => {
    if (!reveal) return
    const at = items.findIndex((item) => keyOf(item) === reveal)
    if (at >= 0) scrollTo(box.current!, heights.current!, at)
  }, [reveal])

  useEffect(() => {
    const resized = new ResizeObserver(() => redraw(undefined))
    resized.observe(box.current!)
    return () => resized.disconnect()
  }, [])

  return (
    <div class={`virtual ${props.class ?? ''}`} ref={box} onScroll={onScroll} role="list" aria-label={props.label}>
      <div class="virtual-pad" style={{ height: `${heights.current.top(from)}px` }} role="presentation" />
      {shown.map((item, n) => (
        <div key={keyOf(item)} role="listitem" aria-setsize={items.length} aria-posinset={from + n + 1}>
          {props.children(item, from + n)}
        </div>
      ))}
      <div class="virtual-pad" style={{ height: `${heights.current.top(items.length) - heights.current.top(Math.min(to, items.length))}px` }} role="presentation" />
    </div>
  )
}

function scrollTo(el: HTMLElement, heights: Heights, at: number): void {
  const [top, bottom] = [heights.top(at), heights.top(at + 1)]
  if (top < el.scrollTop) el.scrollTop = top
  else if (bottom > el.scrollTop + el.clientHeight) el.scrollTop = bottom - el.clientHeight
}
