import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGood, newPerson, signIn, startBrowser } from './browser.ts'
import { newSession, ok, send, startGateway, type Gateway } from './gateway.ts'

let gateway: Gateway
let browser: Browser

beforeAll(async () => {
  gateway = await startGateway()
  browser = await startBrowser()
})

afterAll(async () => {
  await browser?.close()
  await gateway?.stop()
})

test('a person signs in, answers, and stays signed in over a reload', async () => {
  const person = await newPerson(browser, gateway.base)
  const page = await person.open()
  await page.getByLabel('Key, or token').fill('not-a-key')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('doesn’t know this key')
  await signIn(page)

  const sid = await newSession(gateway.client, 'first')
  const batch = await send(gateway.client, sid, { id: 'c1', name: 'run_shell_command', arguments: { command: 'cd sub && rm -rf build' } })
  await page.getByRole('button', { name: /run_shell_command/ }).click()
  await page.getByText('deletes without asking').waitFor()
  await page.getByRole('heading', { name: 'What rules see' }).waitFor()
  await page.reload()
  await page.locator('[data-option=allow_once]').click()
  await page.getByText('Nobody waits for you.').waitFor()
  const now = await ok(gateway.client.GET('/v1/sessions/{sid}/batches/{bid}', { params: { path: { sid, bid: batch.id } } }))
  expect(now.calls[0]!.state).toBe('dispatched')
  expectGood(person.misdeeds, /401/)
  await person.context.close()
})

test('a batch with a plan boundary is shown as it was decided', async () => {
  const person = await newPerson(browser, gateway.base)
  const page = await person.open()
  await signIn(page)
  const sid = await newSession(gateway.client, 'boundary')
  await send(
    gateway.client,
    sid,
    { id: 'c1', name: 'write_file', arguments: { file_path: 'a.txt', content: 'x' } },
    { id: 'c2', name: 'enter_plan_mode', arguments: {} },
    { id: 'c3', name: 'read_file', arguments: { file_path: 'b.txt' } },
  )
  await page.goto(`/console/sessions/${sid}`)
  const call = (name: string) => page.getByRole('button', { name: new RegExp(name) })
  await call('enter_plan_mode').getByText('plan boundary').waitFor()
  await call('write_file').getByText('stood beside the entry into plan mode').waitFor()
  await call('read_file').getByText('stood beside the entry into plan mode').waitFor()
  await page.getByText('Plan mode is on').waitFor()
  expect(await page.locator('.mode select').inputValue()).toBe('plan')
  expectGood(person.misdeeds, /401/)
  await person.context.close()
})
