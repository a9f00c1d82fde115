import { expect, test } from 'vitest'
import { emptySession, reduceSession, sessionEvents, withAnswer, withBatch, withSession, withTurn, type SessionEvent, type SessionState } from '../src/index.js'
import { ask, askingSession, ok, startGateway } from './gateway.js'

/** Makes a real history: a turn, an answered and a rejected question, plan mode, an end. */
async function history() {
  const { client, connection } = await startGateway()
  const sid = await askingSession(client)
  const params = { path: { sid } }
  const turn = await ok(client.POST('/v1/sessions/{sid}/turns', { params, body: { input: [{ type: 'text', text: 'go' }] } }))
  const tid = { path: { sid, tid: turn.id } }
  for (const text of ['Hel', 'lo.']) await ok(client.POST('/v1/sessions/{sid}/turns/{tid}/messages', { params: tid, body: { text } }))
  const approval = await ask(client, sid)
  const answer = await ok(client.POST('/v1/approvals/{aid}/respond', { params: { path: { aid: approval.id } }, body: { option_id: 'allow_once' } }))
  const bid = { path: { sid, bid: approval.batch_id } }
  await ok(client.POST('/v1/sessions/{sid}/batches/{bid}/claims', { params: bid, body: { positions: [0], host_id: 'h1' } }))
  const results = [{ position: 0, status: 'success' as const, output: 'done' }]
  await ok(client.POST('/v1/sessions/{sid}/batches/{bid}/results', { params: bid, body: { host_id: 'h1', results } }))
  const second = await ask(client, sid, 'b.txt', 'c2')
  await ok(client.PUT('/v1/sessions/{sid}/approval-mode', { params, body: { mode: 'plan' } }))
  await ok(client.POST('/v1/sessions/{sid}/turns/{tid}/complete', { params: tid, body: { stop_reason: 'end_turn' } }))
  const batch = await ok(client.GET('/v1/sessions/{sid}/batches/{bid}', { params: bid }))
  const session = await ok(client.GET('/v1/sessions/{sid}', { params }))
  const whole = await ok(client.GET('/v1/sessions/{sid}/turns/{tid}', { params: tid }))
  await client.DELETE('/v1/sessions/{sid}', { params })
  const events: SessionEvent[] = []
  for await (const event of sessionEvents(connection, sid)) events.push(event)
  return { events, approval, answer, second, batch, session, turn, whole }
}

const fold = (events: SessionEvent[], from: SessionState = emptySession) => events.reduce(reduceSession, from)

test('events add up to what the routes answer', async () => {
  const { events, batch, session, whole, answer } = await history()
  const before = fold(events.slice(0, events.findIndex((e) => 'seq' in e && e.seq > Number.parseInt(session.last_event_id!))))
  const { tools: _, rules: __, last_event_id: ___, tool_calls_used: ____, ...document } = session
  expect(before.session).toMatchObject(document)
  expect(before.batches[0]).toMatchObject(batch)
  expect(before.turns[0]).toMatchObject({ status: 'completed', text: whole.text, partial: false })
  expect(before.approvals[0]).toEqual(answer)
})

test('events that come again, or late, change nothing', async () => {
  const { events } = await history()
  const state = fold(events)
  for (const event of events) expect(reduceSession(state, event)).toBe(state)
})

test('an answered prompt never comes back, whatever was read when', async () => {
  const { events, approval, answer } = await history()
  const asked = events.findIndex((event) => event.type === 'approval.requested')
  const answered = withAnswer(fold(events.slice(0, asked)), answer)
  const told = reduceSession(answered, events[asked]!)
  expect(told.approvals).toEqual([answer])
  expect(withAnswer(told, approval).approvals).toEqual([answer])
})

test('a document that was read first is not overwritten by events that it includes', async () => {
  const { events, session } = await history()
  const seen: (number | undefined)[] = []
  let state = withSession(emptySession, session)
  for (const event of events) {
    state = reduceSession(state, event)
    if (event.type !== 'session.closed') seen.push(state.session?.mode_revision)
  }
  expect(new Set(seen)).toEqual(new Set([session.mode_revision]))
  expect(state.session).toMatchObject({ status: 'closed', tools: session.tools })
  expect(withSession(state, session)).toBe(state)
})

test('what a route answers fills in without undoing', async () => {
  const { events, batch, turn, whole } = await history()
  const started = events.findIndex((event) => event.type === 'batch.started')
  const early = withBatch(fold(events.slice(0, started)), batch)
  expect(fold(events.slice(started), early).batches[0]).toMatchObject({ status: 'completed', calls: [{ state: 'done', result: { output: 'done' } }] })
  const state = fold(events)
  expect(withTurn(state, turn).turns).toBe(state.turns)
  expect(withTurn(emptySession, whole).turns[0]).toMatchObject({ text: 'Hello.', partial: false })
})

test('a reset is said, and the snapshot replaces what was there', async () => {
  const { events, approval, second } = await history()
  const state = fold(events.slice(0, -1))
  const closing = events.at(-1) as Extract<SessionEvent, { type: 'session.closed' }>
  const snapshot = { ...closing, type: 'session.snapshot' as const, data: { session: closing.data, open_batch: null, approvals: [second] } } satisfies SessionEvent
  for (const [reason, kept] of [['trimmed', [approval.id, second.id]], ['diverged', [second.id]]] as const) {
    const reset = { id: null, type: 'stream.reset', time: '', data: { reason, cursor: '' } } as const
    const between = reduceSession(state, reset)
    expect(between).toMatchObject({ resetting: true, batches: state.batches })
    const after = reduceSession(between, snapshot)
    expect(after).toMatchObject({ seq: closing.seq, resetting: false, reset: { reason }, batches: [], turns: [] })
    expect(after.approvals.map((a) => a.id)).toEqual(kept)
  }
})
