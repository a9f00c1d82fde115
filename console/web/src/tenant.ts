import { computed, effect, signal } from '@preact/signals'
import { GatewayError, pendingApprovals, withApprovalPage, withTenantAnswer, type Approval, type TenantState } from '@session-gateway/client'
import { forget, gateway, who } from './gateway.ts'
import { liveTenant, type Live } from './watching.ts'

const watching = signal<Live<TenantState> | null>(null)

// Whoever is signed in watches; whoever isn't any more doesn't.
effect(() => {
  const wanted = who.value?.roles.some((role) => role !== 'operator') ?? false
  const now = watching.peek()
  if (wanted === (now !== null)) return
  now?.close()
  watching.value = wanted ? liveTenant() : null
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

/** Reads an approval, whole; gives none where there is no such thing. */
export async function readApproval(aid: string): Promise<Approval | undefined> {
  const { data } = await gateway.GET('/v1/approvals/{aid}', { params: { path: { aid } } })
  if (data) takeOver(data)
  return data
}
