import { expect, test } from 'vitest'
import { retrying } from '../src/retry.js'

/** Answers with each status in turn; 0 is no answer. */
function answering(...statuses: number[]) {
  const keys: (string | null)[] = []
  const send = retrying(async (request) => {
    keys.push(request.headers.get('Idempotency-Key'))
    const status = statuses[keys.length - 1] ?? 200
    if (status === 0) throw new TypeError('no network')
    return new Response(null, { status })
  })
  return { send, keys }
}

const post = () => new Request('http://gateway.example/v1/sessions', { method: 'POST', body: '{}' })

test('what may pass is tried again, under one key', async () => {
  const { send, keys } = answering(503, 0, 201)
  expect((await send(post())).status).toBe(201)
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('a refusal is answered at once', async () => {
  const { send, keys } = answering(409)
  expect((await send(post())).status).toBe(409)
  expect(keys).toHaveLength(1)
})

test('a PATCH is sent once: it may have been done', async () => {
  for (const status of [0, 503]) {
    const { send, keys } = answering(status, 200)
    await send(new Request('http://gateway.example/v1/sessions/s/plan', { method: 'PATCH', body: '{"append":"x"}' })).catch(() => null)
    expect(keys).toHaveLength(1)
  }
})

test('trying ends', async () => {
  const refused = answering(503, 503, 503, 503, 503)
  expect((await refused.send(post())).status).toBe(503)
  expect(refused.keys).toHaveLength(4)
  const cut = answering(0, 0, 0, 0, 0)
  await expect(cut.send(new Request('http://gateway.example/'))).rejects.toThrowError('no network')
  expect(cut.keys).toEqual([null, null, null, null])
})

test("a caller's own key stays", async () => {
  const { send, keys } = answering(200)
  const request = post()
  request.headers.set('Idempotency-Key', 'mine')
  await send(request)
  expect(keys).toEqual(['mine'])
})
