import type { SessionView } from '@session-gateway/client'
import { useEffect } from 'preact/hooks'
import { readSession, tenant } from './tenant.ts'

/** The labels that name a session, the best first. */
export const naming = ['title', 'name', 'task']

/** What a session is called: by its label, else by the end of its id. */
export function nameOf(session: SessionView | undefined, sid: string): string {
  const label = naming.map((key) => session?.labels[key]).find(Boolean)
  return label ?? `session ${sid.slice(-6)}`
}

/** What the session of an approval is called; it is read if no event told of it. */
export function useName(sid: string): string {
  const known = tenant.value?.sessions.findLast(({ id }) => id === sid)?.session
  useEffect(() => {
    if (!known) void readSession(sid)
  }, [sid, !known])
  return nameOf(known, sid)
}
