import { expect, test } from 'vitest'
import { sessionEvents } from '@session-gateway/client'
import { signIn } from './browser.ts'
import { key, newSession, ok, send } from './gateway.ts'
import { finish } from './scene.ts'
import { useWorld } from './world.ts'

const world = useWorld()

const read = (id: string) => ({ id, name: 'read_file', arguments: { file_path: `${id}.txt` } })

/** A turn that a host speaks in. */
async function openTurn(sid: string): Promise<(text: string) => Promise<unknown>> {
  const turn = await ok(world.gateway.client.POST('/v1/sessions/{sid}/turns', { params: { path: { sid } }, body: { input: [{ type: 'text', text: 'Begin' }] } }))
  const path = { sid, tid: turn.id }
  return (text) => ok(world.gateway.client.POST('/v1/sessions/{sid}/turns/{tid}/messages', { params: { path }, body: { text } }))
}

test('what the model says is shown as it is said, and the whole after a reload', async () => {
  const person = await world.newPerson()
  const sid = await newSession(world.gateway.client, 'saying')
  const page = await person.open(`/console/sessions/${sid}`)
  await signIn(page)
  const say = await openTurn(sid)
  await say('First this. ')
  await page.locator('.said', { hasText: 'First this.' }).waitFor()
  await say('Then that.')
  await page.locator('.said', { hasText: 'First this. Then that.' }).waitFor()
  await page.reload()
  await page.locator('.said', { hasText: 'First this. Then that.' }).waitFor()
})

test('a long output is paged, the mode is switched, the batch aborted, the transcript downloaded', async () => {
  const person = await world.newPerson()
  const sid = await newSession(world.gateway.client, 'acting')
  const page = await person.open(`/console/sessions/${sid}`)
  await signIn(page)
  await send(world.gateway.client, sid, read('long'))
  await finish(world.gateway, sid, Array.from({ length: 4000 }, (_, n) => `line ${n}`).join('\n'))
  await page.getByRole('button', { name: /read_file/ }).click()
  await page.getByRole('button', { name: 'Show the whole output' }).click()
  await page.getByText('0 to 10,000 of').waitFor()
  await page.getByRole('button', { name: 'On', exact: true }).click()
  await page.getByText('10,000 to 20,000 of').waitFor()

  await page.getByLabel('Mode').selectOption('auto_edit')
  await page.getByText('The mode is auto_edit.').waitFor()
  await send(world.gateway.client, sid, { id: 'x', name: 'run_shell_command', arguments: { command: 'make' } })
  await page.getByText('One approval waits').waitFor()
  await page.getByRole('button', { name: 'Abort the batch' }).click()
  await page.getByRole('button', { name: 'Abort: open calls end now' }).click()
  await page.getByRole('button', { name: /run_shell_command.*the batch was aborted/ }).waitFor()

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Transcript' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${sid}.ndjson`)
  expect(await download.failure()).toBeNull()
})

test('ten thousand events scroll, with what is in sight laid out only', async () => {
  const person = await world.newPerson()
  const sid = await newSession(world.gateway.client, 'long')
  const calls = (n: number) => Array.from({ length: 200 }, (_, m) => ({ id: `l-${n}-${m}`, name: 'no_such_tool', arguments: { n, m } }))
  for (let n = 0; n < 50; n++) await send(world.gateway.client, sid, ...calls(n))
  const page = await person.open(`/console/sessions/${sid}`)
  await signIn(page)
  await page.locator('.session .facts', { hasText: '50 batches' }).waitFor()
  await page.locator('.session [data-phase=live]').waitFor()
  expect(Number.parseInt((await page.locator('.session > .facts .quiet').textContent())!, 10)).toBeGreaterThan(10_000)
  expect(await page.locator('.call').count()).toBeLessThan(150)
  const frames = await page.evaluate(async () => {
    const list = document.querySelector('.timeline')!
    const took: number[] = []
    let last = performance.now()
    for (let n = 0; n < 120; n++) {
      list.scrollTop -= 400
      await new Promise(requestAnimationFrame)
      took.push(performance.now() - last)
      last = performance.now()
    }
    return took.sort((a, b) => a - b)
  })
  console.log(`scrolling 10,000 events: frame p50 ${ms(frames, 0.5)}, p95 ${ms(frames, 0.95)}`)
  expect(frames[Math.floor(frames.length / 2)]).toBeLessThan(250) // 20 ms on a machine of its own
})

test('the time from an event to the painted page is printed beside the stream’s own', async () => {
  const person = await world.newPerson()
  const sid = await newSession(world.gateway.client, 'latency')
  const page = await person.open(`/console/sessions/${sid}`)
  await signIn(page)
  await page.locator('.session [data-phase=live]').waitFor()
  await page.evaluate(() => {
    const painted: Record<string, number> = {}
    Object.assign(window, { painted })
    new MutationObserver(() => {
      const said = document.querySelector('.said')?.textContent?.match(/#\d+#/g)?.at(-1)
      if (said && !painted[said]) requestAnimationFrame(() => setTimeout(() => (painted[said] ??= performance.timeOrigin + performance.now())))
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  const arrived: Record<string, number> = {}
  const leaving = new AbortController()
  const reading = (async () => {
    for await (const event of sessionEvents({ baseUrl: world.gateway.base, key }, sid, { after: 'latest', signal: leaving.signal })) {
      if (event.type === 'message.delta') arrived[event.data.text] = performance.timeOrigin + performance.now()
    }
  })()
  const say = await openTurn(sid)
  const sent: Record<string, number> = {}
  for (let n = 0; n < 60; n++) {
    const text = `#${n}#`
    sent[text] = performance.timeOrigin + performance.now()
    await say(text)
    await page.waitForFunction((text) => text in (window as unknown as { painted: object }).painted, text)
  }
  leaving.abort()
  await reading
  const painted = await page.evaluate(() => (window as unknown as { painted: Record<string, number> }).painted)
  const since = (at: Record<string, number>) => Object.entries(at).map(([text, time]) => time - sent[text]!).sort((a, b) => a - b)
  const [raw, seen] = [since(arrived), since(painted)]
  console.log(`published to painted: p50 ${ms(seen, 0.5)}, p95 ${ms(seen, 0.95)}; raw stream: p50 ${ms(raw, 0.5)}, p95 ${ms(raw, 0.95)}`)
  expect(seen).toHaveLength(60)
})

const ms = (sorted: number[], share: number) => `${sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1)} ms`
