import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { newSession, ok, send } from './gateway.ts'
import { useWorld } from './world.ts'

const world = useWorld()

test('a person signs in, answers, and stays signed in over a reload', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await page.getByLabel('Key, or token').fill('not-a-key')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('doesn’t know this key')
  await signIn(page)

  const sid = await newSession(world.gateway.client, 'first')
  const batch = await send(world.gateway.client, sid, { id: 'c1', name: 'run_shell_command', arguments: { command: 'cd sub && rm -rf build' } })
  await page.getByRole('button', { name: /run_shell_command/ }).click()
  await page.getByText('deletes without asking').waitFor()
  await page.getByRole('heading', { name: 'What rules see' }).waitFor()
  await page.reload()
  await page.locator('[data-option=allow_once]').click()
  await page.getByText('Nobody waits for you.').waitFor()
  const now = await ok(world.gateway.client.GET('/v1/sessions/{sid}/batches/{bid}', { params: { path: { sid, bid: batch.id } } }))
  expect(now.calls[0]!.state).toBe('dispatched')
})

test('a batch with a plan boundary is shown as it was decided', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  const sid = await newSession(world.gateway.client, 'boundary')
  await send(
    world.gateway.client,
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
})
