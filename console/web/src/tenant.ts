import { computed, effect, signal } from '@preact/signals'
import { GatewayError, pendingApprovals, withApprovalPage, withTenantAnswer, withTenantSession, type Approval, type TenantState } from '@session-gateway/client'
import { forget, gateway, problemText, who } from './gateway.ts'
import { liveTenant, type Live } from './watching.ts'

const watching = signal<Live<TenantState> | null>(null)

/** Whose sign-in the watch is for; null for nobody's. */
let watcher: string | null = null

// Whoever is signed in watches; whoever isn't any more doesn't.
effect(() => {
  const now = who.value?.roles.some((role) => role !== 'operator') ? (who.value.csrf_token ?? '') : null
  if (now === watcher) return
  watcher = now
  watching.peek()?.close()
  watching.value = now === null ? null : liveTenant()
})

/** Who waits for a person; null for nobody who could know. */
export const tenant = computed(() => watching.value?.now.value.state ?? null)

/** How the connection is. */
export const liveness = computed(() => watching.value?.now.value.liveness ?? null)

/** The questions without an answer, the oldest first. */
export const waiting = computed(() => (tenant.value ? pendingApprovals(tenant.value.approvals) : []))

/** Those whose answer was seen, the latest first. */
export const answered = computed(() =>
  (tenant.value?.approvals ?? [])
    .filter((approval) => approval.status !== 'pending')
    .sort((a, b) => (b.resolved_at ?? '').localeCompare(a.resolved_at ?? '')),
)

// A snapshot has room for so many questions; the others are fetched behind it.
effect(() => {
  const cursor = tenant.value?.more
  if (cursor) void fetchMore(cursor)
})

let fetching: string | null = null

async function fetchMore(cursor: string): Promise<void> {
  if (fetching === cursor) return
  fetching = cursor
  try {
    const { data } = await gateway.GET('/v1/approvals', { params: { query: { status: 'pending', cursor, limit: 200 } } })
    if (data) watching.peek()?.update((state) => (state.more === cursor ? withApprovalPage(state, data) : state))
  } catch {
    // the next snapshot says again what is missing
  } finally {
    fetching = null
  }
}

const unauthenticated = 401

// The stream says that the cookie is worth nothing any more.
effect(() => {
  const now = liveness.value
  if (now?.phase === 'ended' && now.cause instanceof GatewayError && now.cause.status === unauthenticated) {
    forget('The sign-in has ended. Please sign in again.')
  }
})

/** Takes over an approval as a route answered it. */
export function takeOver(approval: Approval): void {
  watching.peek()?.update((state) => withTenantAnswer(state, approval))
}

/** Finds an approval among those that are known. */
export function approvalOf(aid: string | null): Approval | undefined {
  return aid === null ? undefined : tenant.value?.approvals.findLast((approval) => approval.id === aid)
}

const notFound = 404

/** Reads an approval, whole; gives why there is none to show, or nothing. */
export async function readApproval(aid: string): Promise<string> {
  const { data, error, response } = await gateway.GET('/v1/approvals/{aid}', { params: { path: { aid } } })
  if (data) {
    takeOver(data)
    return ''
  }
  return response.status === notFound ? 'There is no such approval.' : problemText(error)
}

const asked = new Set<string>()

/** Reads a session that no event told of, once. */
export async function readSession(sid: string): Promise<void> {
  if (asked.has(sid)) return
  asked.add(sid)
  try {
    const { data } = await gateway.GET('/v1/sessions/{sid}', { params: { path: { sid } } })
    if (data) watching.peek()?.update((state) => withTenantSession(state, data))
  } catch {
    asked.delete(sid) // it is asked again when it is shown again
  }
}
