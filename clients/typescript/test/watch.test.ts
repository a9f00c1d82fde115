import { expect, test } from 'vitest'
import { answerApproval, createClient, pendingApprovals, watchSession, watchTenant, withTenantAnswer } from '../src/index.js'
import { ask, askingSession, eventually, startGateway } from './gateway.js'

test('a watched session shows a call from question to result', async () => {
  const { client, connection } = await startGateway()
  const sid = await askingSession(client)
  const watch = watchSession(connection, sid)
  const approval = await ask(client, sid)
  await eventually(() => expect(pendingApprovals(watch.get().state.approvals)).toHaveLength(1))
  expect(watch.get().state.batches[0]?.calls[0]).toMatchObject({ state: 'awaiting_approval', approval_id: approval.id })
  expect(await answerApproval(client, approval, 'allow_once')).toMatchObject({ won: true })
  await eventually(() => expect(watch.get().state.batches[0]?.calls[0]?.state).toBe('dispatched'))
  const params = { path: { sid, bid: approval.batch_id } }
  await client.POST('/v1/sessions/{sid}/batches/{bid}/results', {
    params,
    body: { results: [{ position: 0, status: 'success', output: 'done' }] },
  })
  await eventually(() => expect(watch.get().state.batches[0]?.status).toBe('completed'))
  const { state, liveness } = watch.get()
  expect(liveness.phase).toBe('live')
  expect(state.batches[0]?.calls[0]?.result?.output).toBe('done')
  expect(state.session).toMatchObject({ open_batch_id: null, open_approvals: [] })
  expect(state.approvals[0]?.status).toBe('approved')
  await client.DELETE('/v1/sessions/{sid}', { params: { path: { sid } } })
  await eventually(() => expect(watch.get().liveness).toEqual({ phase: 'ended', cause: null }))
  expect(watch.get().state.session?.status).toBe('closed')
})

test('a watched tenant shows who waits, also to a page that comes later', async () => {
  const { client, connection } = await startGateway()
  const sid = await askingSession(client)
  const early = watchTenant(connection)
  const approval = await ask(client, sid)
  const late = watchTenant(connection)
  for (const watch of [early, late]) {
    await eventually(() => expect(pendingApprovals(watch.get().state.approvals)).toHaveLength(1))
    expect(watch.get().liveness.phase).toBe('live')
  }
  const answered = await answerApproval(client, approval, 'reject', 'not this one')
  early.update((state) => withTenantAnswer(state, answered.approval))
  expect(pendingApprovals(early.get().state.approvals)).toEqual([])
  await eventually(() => expect(late.get().state.approvals[0]).toMatchObject({ status: 'rejected', feedback: 'not this one' }))
  early.close()
  late.close()
})

test('the second of two answers is told who won', async () => {
  const { client } = await startGateway()
  const approval = await ask(client, await askingSession(client))
  await answerApproval(client, approval, 'allow_once')
  const second = await answerApproval(client, approval, 'reject')
  expect(second).toMatchObject({
    won: false,
    approval: { status: 'approved' },
    problem: { code: 'approval_already_resolved', resolved_by: 'developer', option_id: 'allow_once' },
  })
})

test('who is too late is told who won, also where nothing more can be read', async () => {
  const { client, connection } = await startGateway()
  const approval = await ask(client, await askingSession(client))
  await answerApproval(client, approval, 'allow_once')
  const half = createClient({ ...connection, fetch: (request) => (request.method === 'GET' ? Promise.resolve(new Response('', { status: 500 })) : fetch(request)) })
  expect(await answerApproval(half, approval, 'reject')).toMatchObject({ won: false, approval, problem: { resolved_by: 'developer' } })
})

test('a watch says why it ended', async () => {
  const { connection } = await startGateway()
  const watch = watchTenant({ ...connection, key: 'not a key' })
  await eventually(() => expect(watch.get().liveness).toMatchObject({ phase: 'ended', cause: { problem: { code: 'unauthenticated' } } }))
})
