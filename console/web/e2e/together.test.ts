import { expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { newSession, ok, send } from './gateway.ts'
import { layLine } from './line.ts'
import { useWorld } from './world.ts'

const world = useWorld()

const write = (id: string) => ({ id, name: 'write_file', arguments: { file_path: `${id}.txt`, content: 'x' } })

test('what one tab answers the other sees, and who is too late is told who won', async () => {
  const person = await world.newPerson({ provokes: /409/ })
  const [first, second] = [await person.open(), await person.open()]
  await signIn(first)
  await second.reload()
  const batch = await send(world.gateway.client, await newSession(world.gateway.client, 'two tabs'), write('together'))
  const address = `/console/approvals/${batch.calls[0]!.approval_id}`
  await Promise.all([first.goto(address), second.goto(address)])
  await second.locator('[data-option=reject]').waitFor()
  await first.locator('[data-option=allow_once]').waitFor()

  // The second tab's answer is held back until the first one's has been given.
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await second.route('**/respond', async (route) => {
    await held
    await route.continue()
  })
  await second.keyboard.press('s')
  await first.bringToFront() // what is behind is drawn when the browser likes
  await first.locator('[data-option=allow_once]').click()
  await first.getByText('Nobody waits for you.').waitFor()
  await second.locator('[data-outcome=approved]').getByText('developer allowed it once').waitFor()
  release()
  await second.locator('[data-outcome=refused]').getByText('Your answer came too late. developer allowed it once.').waitFor()
})

test('a tab whose stream gets no answer holds up no other tab', async () => {
  const line = await layLine(world.gateway.base)
  const person = await world.newPerson({ base: line.base })
  await signIn(await person.open())
  line.swallow('GET /v1/events')
  const stuck = await person.open()
  await stuck.locator('.bar [data-phase=connecting]').waitFor()
  const other = await person.open()
  await other.locator('.bar [data-phase=live]').waitFor({ timeout: 30_000 })
  await stuck.locator('.bar [data-phase=connecting]').waitFor()
})

test('a plan is rejected with what is missing, shown again with what changed, and approved', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  const sid = await newSession(world.gateway.client, 'planning', { approval_mode: 'plan' })
  const propose = (id: string, plan: string) => send(world.gateway.client, sid, { id, name: 'exit_plan_mode', arguments: { plan } })
  const first = await propose('p1', '# Plan\n\n- change a.go\n')
  await page.getByRole('button', { name: /^Plan/ }).click()
  await page.getByText('change a.go').waitFor()
  await page.keyboard.press('r')
  await page.getByLabel('What should be done instead?').fill('Say how it is tested.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Nobody waits for you.').waitFor()
  const rejected = await ok(world.gateway.client.GET('/v1/sessions/{sid}/batches/{bid}', { params: { path: { sid, bid: first.id } } }))
  expect(rejected.calls[0]!.result).toMatchObject({ reason: 'approval_rejected', output: expect.stringContaining('Say how it is tested.') })

  await propose('p2', '# Plan\n\n- change a.go\n- run the tests\n')
  await page.getByRole('button', { name: /^Plan/ }).click()
  await page.getByText(/Last time:.*Say how it is tested\./).waitFor()
  await page.getByLabel('Show').selectOption({ index: 2 })
  await page.locator('.diff-added', { hasText: 'run the tests' }).waitFor()
  expect(await page.locator('.diff-added').count()).toBe(1)
  await page.locator('[data-option=auto_edit]').click()
  await page.getByText('Nobody waits for you.').waitFor()
  const session = await ok(world.gateway.client.GET('/v1/sessions/{sid}', { params: { path: { sid } } }))
  expect(session.approval_mode).toBe('auto_edit')
})

test('two hundred approvals are there in a new tab, and keys lead through them', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  const sid = await newSession(world.gateway.client, 'many')
  await send(world.gateway.client, sid, ...Array.from({ length: 200 }, (_, n) => write(`many-${n}`)))
  const tab = await person.open()
  await tab.locator('.count-hot', { hasText: '200' }).waitFor()
  expect(await tab.title()).toBe('(200) Session gateway')
  expect(await tab.locator('.inbox-list .row').count()).toBeLessThan(60)
  for (let n = 0; n < 29; n++) await tab.keyboard.press('j')
  await tab.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'о', code: 'KeyJ' }))) // as a Russian keyboard has it
  await tab.locator('.row[aria-current]').getByText('many-29.txt').waitFor()
  await tab.keyboard.press('a')
  await tab.locator('.row[aria-current]').getByText('many-30.txt').waitFor()
  await page.locator('.count-hot', { hasText: '199' }).waitFor()
  await tab.keyboard.press('?')
  await tab.getByRole('heading', { name: 'Keys' }).waitFor()
  await tab.keyboard.press('Escape')
})

test('where two people have to approve each sees the other’s vote, and a viewer only looks', async () => {
  const people = await Promise.all(
    [
      ['alice', 'frontend'],
      ['bob', 'frontend'],
      ['victor', 'viewer'],
    ].map(async ([name, role]) => {
      const person = await world.newPerson({ provokes: /409/ })
      const page = await person.open()
      await signIn(page, await newKey(name!, role as 'frontend' | 'viewer'))
      return { ...person, page }
    }),
  )
  const [alice, bob, victor] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const sid = await newSession(world.gateway.client, 'votes', { approvers: { min: 2 } })
  const batch = await send(world.gateway.client, sid, write('both'))
  for (const { page } of people) await page.goto(`/console/approvals/${batch.calls[0]!.approval_id}`)
  await victor.page.getByText('Your key may look, not answer.').waitFor()
  await alice.page.locator('[data-option=allow_once]').click()
  await alice.page.getByText('Your answer counts: 1 of 2.').waitFor()
  await bob.page.locator('.pane').getByText('alice approved').waitFor()
  await alice.page.locator('[data-option=allow_once]').click()
  await alice.page.locator('[data-outcome=refused]').getByText('You have answered this already').waitFor()
  await bob.page.locator('[data-option=allow_once]').click()
  await victor.page.locator('[data-outcome=approved]').getByText('bob allowed it once').waitFor()
})

/** Makes a key of a person. */
async function newKey(subject: string, role: 'frontend' | 'viewer'): Promise<string> {
  const params = { path: { tenant: 'dev' } }
  return (await ok(world.gateway.client.POST('/v1/admin/tenants/{tenant}/keys', { params, body: { id: subject, subject, roles: [role] } }))).key!
}

test('a new approval is told while nobody looks, once, and leads to itself', async () => {
  const person = await world.newPerson()
  const page = await person.context.newPage()
  await page.addInitScript(() => {
    const told: { title: string; body: string; onclick?: () => void; close: () => void }[] = []
    class Told {
      static permission = 'granted'
      onclick?: () => void
      body: string
      constructor(
        readonly title: string,
        options: { body: string },
      ) {
        this.body = options.body
        told.push(this)
      }
      close() {}
    }
    Object.assign(window, { Notification: Told, told })
    Object.defineProperty(document, 'hidden', { get: () => true })
  })
  await page.goto('/console/')
  await signIn(page)
  const batch = await send(world.gateway.client, await newSession(world.gateway.client, 'telling'), write('told'))
  type Telling = { told: { title: string; body: string; onclick: () => void }[] }
  await page.waitForFunction(() => (window as unknown as Telling).told.some(({ body }) => body === 'told.txt'))
  expect(await page.evaluate(() => (window as unknown as Telling).told.map(({ title }) => title))).toEqual(['write_file waits for you'])
  await page.evaluate(() => (window as unknown as Telling).told[0]!.onclick())
  await page.locator('[data-option=reject]').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/console/approvals/${batch.calls[0]!.approval_id}`)
})
