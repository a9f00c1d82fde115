import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn, widerThanTheirPlace } from './browser.ts'
import { key, newSession, ok, send, type Call } from './gateway.ts'
import { useWorld } from './world.ts'

const world = useWorld()

const write = (id: string) => ({ id, name: 'write_file', arguments: { file_path: `${id}.txt`, content: 'x' } })

/** Has calls ask, and leads to the first of them. */
async function showAsking(page: Page, title: string, ...calls: Call[]): Promise<void> {
  const batch = await send(world.gateway.client, await newSession(world.gateway.client, title), ...calls)
  await page.goto(`/console/approvals/${batch.calls[0]!.approval_id}`)
  await page.locator('[data-option=reject]').waitFor()
}

test('a key that is held or pressed twice, and a double click, answer one approval', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  await showAsking(page, 'twice', ...['t0', 't1', 't2', 't3', 't4'].map(write))
  const title = () => page.locator('.row[aria-current]').textContent()
  await page.keyboard.down('a')
  await page.keyboard.down('a') // the second is a repetition
  await expect.poll(title).toContain('t1.txt')
  await page.keyboard.down('a')
  await page.keyboard.up('a')
  await page.waitForTimeout(450) // longer than what counts as the same press
  expect(await title()).toContain('t1.txt')
  await page.evaluate(() => (document.activeElement as HTMLElement).id).then((id) => expect(id).toBe('pane-title'))
  await page.locator('[data-option=allow_once]').dblclick()
  await expect.poll(title).toContain('t2.txt')
  await page.keyboard.press('r')
  await page.getByRole('heading', { name: 'write_file' }).click() // the field has the focus no more
  await page.keyboard.press('a')
  await page.getByLabel('What should be done instead?').waitFor()
  expect(await page.locator('.count-hot').textContent()).toBe('3')
})

test('arguments are shown all, whatever they are called', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  const edits = [
    { path: 'a.txt', old_text: 'one', new_text: 'two' },
    { path: '/etc/passwd', old_text: 'root', new_text: 'toor', replace_all: true },
  ]
  await showAsking(page, 'all of it', {
    id: 'e',
    name: 'edit',
    arguments: { edits, old_string: 'unseen-1', new_string: 'unseen-2', content: 'unseen-3', account: 'X'.repeat(15_000) + 'unseen-4' + 'X'.repeat(15_000) },
  })
  for (const text of ['/etc/passwd', 'toor', 'replace_all', 'unseen-1', 'unseen-2', 'unseen-3']) await page.getByText(text).first().waitFor()
  await page.getByRole('button', { name: /^Show the .* characters between/ }).click()
  await page.getByText('unseen-4').waitFor()
  const lines = Array.from({ length: 2500 }, (_, n) => `line ${n}`).join('\n')
  await showAsking(page, 'long', { id: 'l', name: 'write_file', arguments: { file_path: 'long.txt', content: `${lines}\nlast line` } })
  await page.getByRole('button', { name: 'Show 501 more lines' }).click()
  await page.getByText('last line').waitFor()
  await showAsking(page, 'emptied', { id: 'n', name: 'write_file', arguments: { file_path: 'empty.txt', content: '' } })
  await page.getByText('It is empty.').waitFor()
})

test('a megabyte of what can’t be seen stops no page', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  const hidden = 'a\u200b\u3164\u{e0101}'.repeat(30_000)
  const began = Date.now()
  await showAsking(page, 'hidden', { id: 'h', name: 'run_shell_command', arguments: { command: `ls ${' '.repeat(30_000)}; sudo rm -rf / # ${hidden}`, note: hidden, [hidden.slice(0, 5000)]: 1 } })
  await page.locator('.hazards').getByText('deletes without asking').waitFor()
  await page.locator('.hazards').getByText('were not looked through').waitFor()
  expect(Date.now() - began).toBeLessThan(60_000)
  expect(await page.evaluate(() => /[\u200b\u3164\u{e0101}]/u.test(document.body.innerText))).toBe(false)
  expect(await widerThanTheirPlace(page)).toEqual([])
})

test('whoever signs in or out does so in every tab, with all that is shown', async () => {
  const { client } = world.gateway
  await ok(client.POST('/v1/admin/tenants', { body: { id: 'other' } }))
  const made = await ok(
    client.POST('/v1/admin/tenants/{tenant}/keys', { params: { path: { tenant: 'other' } }, body: { id: 'olga', subject: 'olga', roles: ['frontend', 'host'] } }),
  )
  const person = await world.newPerson({ provokes: /404/ })
  const [page, other] = [await person.open(), await person.open()]
  await signIn(page)
  await showAsking(page, 'of the first tenant', write('first'))
  await other.reload()
  await other.locator('.bar [data-phase=live]').waitFor()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await signIn(other, made.key!)
  await page.locator('.who', { hasText: 'olga · other' }).waitFor()
  await page.getByText('There is no such approval.').waitFor()
  await page.getByText('Nobody waits for you.').waitFor()
  await page.bringToFront()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page)
  await other.locator('.who', { hasText: 'developer · dev' }).waitFor()
})

test('answers that are not the gateway’s are said, and break nothing', async () => {
  const person = await world.newPerson({ provokes: /403|500/ })
  const page = await person.open()
  await page.getByLabel('Key, or token').fill('“key”')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('No key has such characters in it.').waitFor()
  await signIn(page)
  await showAsking(page, 'refused', write('refused'))
  await page.route('**/respond', (route) => route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>blocked</h1>' }))
  await page.route('**/v1/console/session', (route) => route.fulfill({ status: 500, body: '' }))
  await page.locator('[data-option=allow_once]').click()
  await page.locator('[data-outcome=refused]').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText(/You are still signed in\./).waitFor()
  await page.goto('/console/approvals/apr_nope')
  await page.getByText('Trying again…').waitFor()
  await page.unroute('**/v1/console/session')
  await page.route('**/v1/approvals/*', (route) => route.fulfill({ status: 403, body: 'blocked' }))
  await page.getByText('Something between this page and the gateway refused it.').waitFor()
})

test('a clock that is wrong doesn’t make an approval look expired', async () => {
  const person = await world.newPerson()
  const page = await person.context.newPage()
  await page.addInitScript(() => {
    const right = Date.now
    Date.now = () => right() + 3_600_000
  })
  await page.goto('/console/')
  await signIn(page)
  await showAsking(page, 'late', write('late'))
  await page.locator('.pane').getByText(/^(30:00|29:\d\d) left$/).waitFor()
  await page.locator('.pane').getByText(/^asked (just now|\d+ s ago)$/).waitFor()
})

test('a session that begins to wait while the page is open is called by its name', async () => {
  const { client } = world.gateway
  const sid = await newSession(client, 'Known by name')
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  await send(client, sid, write('named'))
  await page.locator('.row', { hasText: 'named.txt' }).getByText('Known by name').waitFor()
})

test('notifications that come together are one, and where there are none nothing breaks', async () => {
  const person = await world.newPerson()
  const page = await person.context.newPage()
  await page.addInitScript(() => {
    const told: string[] = []
    class Told {
      static permission = 'granted'
      constructor(title: string) {
        told.push(title)
        if (!title.startsWith('6')) throw new TypeError('Illegal constructor')
      }
    }
    Object.assign(window, { Notification: Told, told })
    Object.defineProperty(document, 'hidden', { get: () => true })
  })
  await page.goto('/console/')
  await signIn(page)
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told)
  await send(world.gateway.client, await newSession(world.gateway.client, 'flood'), ...['f1', 'f2', 'f3', 'f4', 'f5', 'f6'].map(write))
  await expect.poll(told).toEqual(['6 approvals wait for you'])
  const waiting = async () => Number(await page.locator('.count-hot').textContent())
  const before = await waiting()
  for (const [n, id] of ['alone', 'after'].entries()) {
    await send(world.gateway.client, await newSession(world.gateway.client, id), write(id))
    await expect.poll(waiting).toBe(before + n + 1)
  }
  expect(await told()).toEqual(['6 approvals wait for you', 'write_file waits for you'])
})

test('sessions that were asked for stay in the list when it is read again', async () => {
  const { client } = world.gateway
  for (let n = 0; n < 210; n++) await newSession(client, `listed ${n}`)
  const person = await world.newPerson()
  const page = await person.context.newPage()
  await page.clock.install()
  await page.goto('/console/sessions')
  await signIn(page)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
  const again = page.waitForResponse((response) => response.url().includes('/v1/sessions?'))
  await page.clock.runFor(11_000)
  await again
  const count = () => page.locator('.session-row').first().locator('..').getAttribute('aria-setsize')
  await expect.poll(async () => Number(await count())).toBeGreaterThan(205)
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
})

test('yolo is asked for twice', async () => {
  const sid = await newSession(world.gateway.client, 'careful')
  const person = await world.newPerson()
  const page = await person.open(`/console/sessions/${sid}`)
  await signIn(page, key)
  await page.getByLabel('Mode').selectOption('yolo')
  await page.getByRole('button', { name: 'Leave it' }).click()
  expect(await page.getByLabel('Mode').inputValue()).toBe('default')
  await page.getByLabel('Mode').selectOption('yolo')
  await page.getByRole('button', { name: 'yolo: nobody is asked any more' }).click()
  await page.getByText('The mode is yolo.').waitFor()
})

test('magnified four times, what is asked for is not covered by its answers', async () => {
  const person = await world.newPerson({ viewport: { width: 320, height: 256 } })
  const page = await person.open()
  await signIn(page)
  await showAsking(page, 'magnified', { id: 'm', name: 'run_shell_command', arguments: { command: 'sudo make install' } })
  const command = page.getByRole('region', { name: 'Command' })
  await command.scrollIntoViewIfNeeded()
  const [asked, answers] = [await command.boundingBox(), await page.locator('.answer-bar').boundingBox()]
  expect(answers!.y).toBeGreaterThanOrEqual(asked!.y + asked!.height)
  await page.getByRole('link', { name: 'magnified' }).click()
  const call = page.getByRole('button', { name: /run_shell_command/ })
  await call.click()
  await page.getByText('Called as').waitFor()
  expect(await widerThanTheirPlace(page)).toEqual([])
})
