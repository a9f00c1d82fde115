import { expect, test } from 'vitest'
import {
  emptyTenant,
  pendingApprovals,
  reduceTenant,
  tenantEvents,
  withApprovalPage,
  withTenantAnswer,
  withTenantSession,
  type TenantEvent,
  type TenantState,
} from '../src/index.js'
import { ask, askingSession, ok, startGateway } from './gateway.js'

/** Makes a real snapshot with one question, then its answer and a second session's question. */
async function history() {
  const { client, connection } = await startGateway()
  const [one, two] = [await askingSession(client), await askingSession(client)]
  const asked = await ask(client, one)
  const events: TenantEvent[] = []
  for await (const event of tenantEvents(connection)) {
    events.push(event)
    if (event.type === 'tenant.snapshot') {
      await ok(client.POST('/v1/approvals/{aid}/respond', { params: { path: { aid: asked.id } }, body: { option_id: 'reject' } }))
      await ask(client, two)
    }
    if (event.type === 'approval.requested' && event.session_id === two) break
  }
  return { client, events, asked, two }
}

const fold = (events: TenantEvent[]) => events.reduce(reduceTenant, emptyTenant)

test('who waits is told by a snapshot and what follows it', async () => {
  const { events, asked, two } = await history()
  expect(pendingApprovals(fold(events.slice(0, 1)).approvals)).toEqual([asked])
  const state = fold(events)
  expect(pendingApprovals(state.approvals).map((approval) => approval.session_id)).toEqual([two])
  expect(state).toMatchObject({ ready: true, more: null, reset: null })
})

test('a session that was read by its route keeps no event out', async () => {
  const { events, client, two } = await history()
  const asked = events.at(-1)!
  const document = await ok(client.GET('/v1/sessions/{sid}', { params: { path: { sid: two } } }))
  const read = withTenantSession(fold(events.slice(0, -1)), document)
  expect(read.sessions.find(({ id }) => id === two)?.session.labels).toEqual(document.labels)
  expect(pendingApprovals(reduceTenant(read, asked).approvals).map((approval) => approval.session_id)).toEqual([two])
  expect(withTenantSession(read, document)).toBe(read)
})

test('arguments that are known whole are not replaced by a preview of them', async () => {
  const { events, asked } = await history()
  const preview = { ...asked, arguments: '{"file_path":"a', arguments_preview: true }
  const told = withTenantAnswer(fold(events.slice(0, 1)), preview)
  expect(told.approvals).toEqual([asked])
  const snapshot = events[0] as Extract<TenantEvent, { type: 'tenant.snapshot' }>
  const again = reduceTenant(told, { ...snapshot, data: { ...snapshot.data, approvals: [preview] } })
  expect(again.approvals).toEqual([asked])
})

test('an answered prompt never comes back, by event, page or snapshot', async () => {
  const { events, asked } = await history()
  const state = fold(events)
  const stays = (next: TenantState) => expect(pendingApprovals(next.approvals)).toEqual(pendingApprovals(state.approvals))
  for (const event of events.slice(1)) stays(reduceTenant(state, event))
  stays(withTenantAnswer(state, asked))
  stays(withApprovalPage(state, { data: [asked], next_cursor: null }))
  expect(pendingApprovals(reduceTenant(state, events[0]!).approvals)).toEqual([])
})
