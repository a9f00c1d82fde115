import type { ComponentChildren } from 'preact'
import { addressOf, go, type Route } from './route.ts'

interface LinkProps {
  to: Route
  class?: string
  current?: boolean
  children: ComponentChildren
}

/** A link to a view; other tabs and copied addresses work as with any link. */
export function Link({ to, current, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={addressOf(to)} aria-current={current ? 'page' : undefined} onClick={follow} {...rest}>
      {children}
    </a>
  )
}
