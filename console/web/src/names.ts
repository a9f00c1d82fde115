import type { SessionView } from '@session-gateway/client'

/** The labels that name a session, the best first. */
export const naming = ['title', 'name', 'task']

/** What a session is called: by its label, else by the end of its id. */
export function nameOf(session: SessionView | undefined, sid: string): string {
  const label = naming.map((key) => session?.labels[key]).find(Boolean)
  return label ?? `session ${sid.slice(-6)}`
}
