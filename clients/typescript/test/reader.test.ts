import { EventSource } from 'eventsource'
import { expect, test } from 'vitest'
import {
  GatewayError,
  overTickets,
  sessionEvents,
  tenantEvents,
  watchSession,
  watchTenant,
  type Client,
  type Connection,
  type SessionEvent,
  type StreamOptions,
} from '../src/index.js'
import { ask, askingSession, eventually, freePort, ok, startGateway } from './gateway.js'
import { openProxy } from './proxy.js'

const modes = ['plan', 'yolo', 'plan', 'default', 'auto_edit'] as const
const transports = { fetch: undefined, tickets: overTickets(EventSource) }

/** Makes a session with a history that ends with its close. */
async function history(client: Client): Promise<string> {
  const sid = await askingSession(client)
  const params = { path: { sid } }
  for (const mode of modes) await ok(client.PUT('/v1/sessions/{sid}/approval-mode', { params, body: { mode } }))
  await client.DELETE('/v1/sessions/{sid}', { params })
  return sid
}

async function collect(connection: Connection, sid: string, options: StreamOptions = {}): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of sessionEvents(connection, sid, options)) events.push(event)
  return events
}

/** Options without a key that is undefined. */
function over(transport: StreamOptions['transport']): StreamOptions {
  return transport ? { transport } : {}
}

for (const [name, transport] of Object.entries(transports)) {
  test(`by ${name}, a stream that is cut again and again has no gap and no repetition`, async () => {
    const { client, connection } = await startGateway()
    const sid = await history(client)
    const whole = await collect(connection, sid)
    expect(whole.map((event) => event.type === 'session.snapshot' || !('seq' in event) || event.seq)).toEqual(whole.map((_, i) => i + 1))
    const { baseUrl } = await openProxy(connection.baseUrl, 4000)
    let connections = 0
    const cut = await collect({ ...connection, baseUrl }, sid, {
      ...over(transport),
      onConnecting: (now) => now.phase === 'connecting' && connections++,
    })
    expect(cut).toEqual(whole)
    expect(connections).toBeGreaterThan(1)
  })

  test(`by ${name}, a filter passes only its types, and the end`, async () => {
    const { client, connection } = await startGateway()
    const events = await collect(connection, await history(client), { types: ['plan.'], ...over(transport) })
    expect(events.map((event) => event.type)).toEqual(['plan.entered', 'plan.exited', 'plan.entered', 'plan.exited', 'session.closed'])
  })

  test(`by ${name}, a session that does not exist is an error that says so`, async () => {
    const { connection } = await startGateway()
    const failing = collect(connection, 'ses_nope', over(transport))
    await expect(failing).rejects.toThrowError(GatewayError)
    await expect(failing).rejects.toMatchObject({ status: 404, problem: { code: 'not_found' } })
  })

  test(`by ${name}, history that can't be continued is said, and a snapshot follows`, async () => {
    const { client, connection } = await startGateway()
    const sid = await history(client)
    const events = await collect(connection, sid, { after: '3-deadbeef', ...over(transport) })
    expect(events[0]).toMatchObject({ id: null, type: 'stream.reset', data: { reason: 'diverged', cursor: '3-deadbeef' } })
    expect(events[1]).toMatchObject({ type: 'session.snapshot', data: { session: { id: sid } } })
  })
}

test('each connection by tickets has a new one', async () => {
  const { client, connection } = await startGateway()
  const sid = await history(client)
  const { baseUrl } = await openProxy(connection.baseUrl, 4000)
  const tickets: string[] = []
  const counting = class extends EventSource {
    constructor(url: string) {
      super(url)
      tickets.push(new URL(url).searchParams.get('ticket') ?? '')
    }
  }
  await collect({ ...connection, baseUrl }, sid, { transport: overTickets(counting) })
  expect(tickets.length).toBeGreaterThan(1)
  expect(new Set(tickets).size).toBe(tickets.length)
})

test('a watch over a network that is cut says so and loses nothing', async () => {
  const { client, connection } = await startGateway()
  const sid = await askingSession(client)
  const proxy = await openProxy(connection.baseUrl)
  const watch = watchSession({ ...connection, baseUrl: proxy.baseUrl }, sid)
  const phases = new Set<string>()
  watch.subscribe(() => phases.add(watch.get().liveness.phase))
  await eventually(() => expect(watch.get().liveness.phase).toBe('live'))
  proxy.cut()
  const approval = await ask(client, sid)
  await eventually(() => expect(watch.get().state.approvals).toEqual([approval]))
  await eventually(() => expect(watch.get().liveness.phase).toBe('live'))
  expect(phases).toContain('waiting')
  watch.close()
})

test('a watch of a tenant survives a gateway that forgot everything', async () => {
  const listen = `--listen=127.0.0.1:${await freePort()}`
  const first = await startGateway(listen)
  const sid = await askingSession(first.client)
  await ask(first.client, sid)
  const watch = watchTenant(first.connection)
  await eventually(() => expect(watch.get().state.approvals).toHaveLength(1))
  await first.kill()
  await eventually(() => expect(watch.get().liveness.phase).toBe('waiting'))
  await startGateway(listen)
  await eventually(() => expect(watch.get().liveness.phase).toBe('live'))
  await eventually(() => expect(watch.get().state).toMatchObject({ ready: true, sessions: [], approvals: [] }))
  expect(watch.get().state.reset).not.toBeNull()
  watch.close()
})

test('a signal ends a stream without an error, also while it waits', async () => {
  const { client, connection, kill } = await startGateway()
  await askingSession(client)
  const ends = new AbortController()
  const reading = (async () => {
    for await (const event of tenantEvents(connection, { signal: ends.signal })) expect(event.type).toBe('tenant.snapshot')
  })()
  await kill()
  ends.abort()
  await reading
})
