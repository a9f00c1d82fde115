import type { Schemas } from '../events.js'

/**
 * A session as events tell it; tools and rules are there once it was read by
 * its route. `tool_calls_used` is as it was then: no event tells it by itself.
 */
export type SessionView = Readonly<Schemas['SessionSummary']>

type Mode = Schemas['Mode']

const byStrictness: readonly Mode[] = ['plan', 'default', 'auto_edit', 'yolo']

function strictest(a: Mode, b: Mode): Mode {
  return byStrictness.indexOf(a) < byStrictness.indexOf(b) ? a : b
}

/**
 * Changes the mode. What the sessions above a child say is not told here: a
 * child's effective mode stays as strict as it was until it is read again.
 */
export function withMode(session: SessionView, change: Schemas['ModeChanged']): SessionView {
  return {
    ...session,
    approval_mode: change.to,
    effective_mode: session.parent_session_id === null ? change.to : strictest(change.to, session.effective_mode),
    previous_mode: change.to === 'plan' ? change.from : null,
    mode_revision: change.mode_revision,
  }
}

/** Adds an approval to those that are open, or removes it. */
export function withApproval(session: SessionView, approval: Schemas['Approval']): SessionView {
  const others = session.open_approvals.filter((id) => id !== approval.id)
  return { ...session, open_approvals: approval.status === 'pending' ? [...others, approval.id] : others }
}

/** Adds a host to those that are attached. */
export function withHost(session: SessionView, host: Schemas['HostAttached']): SessionView {
  return { ...session, hosts: [...session.hosts.filter((id) => id !== host.host_id), host.host_id] }
}

/** Removes a host. */
export function withoutHost(session: SessionView, host: Schemas['HostLost']): SessionView {
  return { ...session, hosts: session.hosts.filter((id) => id !== host.host_id) }
}

/** Replaces the session by a newer document; tools and rules that are still theirs stay. */
export function withSummary(known: SessionView | null, next: SessionView): SessionView {
  if (!known) return next
  const tools = known.tools && known.tools_revision === next.tools_revision ? { tools: known.tools } : {}
  const rules = known.rules && known.rules_revision === next.rules_revision ? { rules: known.rules } : {}
  return { ...tools, ...rules, ...next }
}
