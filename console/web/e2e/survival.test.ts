import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGood, newPerson, signIn, startBrowser } from './browser.ts'
import { freePort, newSession, ok, send, startGateway, startRedis, type Gateway } from './gateway.ts'
import { layLine } from './line.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
let gateway: Gateway
let browser: Browser
let listen: string

const start = () => startGateway(`--listen=${listen}`, `--redis=${redis.url}`)

beforeAll(async () => {
  redis = await startRedis()
  listen = `127.0.0.1:${await freePort()}`
  gateway = await start()
  browser = await startBrowser()
})

afterAll(async () => {
  await browser?.close()
  await gateway?.stop()
  await redis?.stop()
})

const write = (id: string) => ({ id, name: 'write_file', arguments: { file_path: `${id}.txt`, content: 'x' } })

/** What a browser logs of a gateway that is away. */
const away = /401|ERR_CONNECTION|ERR_INTERNET|ERR_INCOMPLETE|ERR_NETWORK|ERR_EMPTY|net::/

test('a gateway that is killed and started again leaves the page complete, without a reload', async () => {
  const person = await newPerson(browser, gateway.base)
  const page = await person.open()
  await signIn(page)
  const before = await newSession(gateway.client, 'before')
  await send(gateway.client, before, write('before'))
  const watcher = await person.open(`/console/sessions/${before}`)
  await watcher.locator('.session [data-phase=live]').waitFor()
  await page.getByText('before.txt').waitFor()

  await gateway.stop()
  await page.locator('.bar [data-phase=waiting]').waitFor()
  await watcher.locator('.session [data-phase=waiting]').waitFor()
  await page.getByRole('button', { name: /before.txt/ }).click()
  await page.locator('[data-option=allow_once]').click()
  await page.locator('[data-outcome=refused]').getByText('can’t be reached').waitFor()

  gateway = await start()
  await send(gateway.client, await newSession(gateway.client, 'after'), write('after'))
  await page.locator('.bar [data-phase=live]').waitFor({ timeout: 60_000 })
  await page.locator('.inbox-list').getByText('after.txt').waitFor()
  await page.locator('[data-option=allow_once]').click()
  await watcher.locator('.session [data-phase=live]').waitFor({ timeout: 60_000 })
  await watcher.getByRole('button', { name: /write_file.*offered to hosts/ }).waitFor()
  expectGood(person.misdeeds, away)
  await person.context.close()
})

test('a network that was cut for 20 s costs no event', async () => {
  const line = await layLine(gateway.base)
  const person = await newPerson(browser, line.base)
  const sid = await newSession(gateway.client, 'cut')
  const page = await person.open(`/console/sessions/${sid}`)
  await signIn(page)
  await page.locator('.session [data-phase=live]').waitFor()

  await person.context.setOffline(true)
  line.cut()
  await page.locator('.session [data-phase=waiting]').getByText('offline, next try in').waitFor()
  for (let n = 0; n < 20; n++) {
    const calls = Array.from({ length: 3 }, (_, m) => ({ id: `cut-${n}-${m}`, name: 'no_such_tool', arguments: { n, m } }))
    await send(gateway.client, sid, ...calls)
    await page.waitForTimeout(1_000) // the cut itself: what is sent meanwhile comes a second apart
  }
  line.mend()
  await person.context.setOffline(false)
  await page.locator('.facts', { hasText: '20 batches' }).waitFor({ timeout: 90_000 })
  await page.locator('.session [data-phase=live]').waitFor({ timeout: 60_000 })
  expectGood(person.misdeeds, away)
  await person.context.close()
  await line.close()
}, 180_000)

test('a sign-in that ends leads back to it and says so', async () => {
  const person = await newPerson(browser, gateway.base)
  const page = await person.open()
  await signIn(page)
  const other = await person.open()
  await other.locator('.bar [data-phase=live]').waitFor()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByText('You are signed out.').waitFor()
  await page.reload()
  await page.getByLabel('Key, or token').waitFor()
  expect(await person.context.cookies()).toEqual([])
  expectGood(person.misdeeds, /401/)
  await person.context.close()
})

test('a key that is revoked leads back to the sign-in, and a page that was loaded while the gateway was away waits for it', async () => {
  const made = await ok(
    gateway.client.POST('/v1/admin/tenants/{tenant}/keys', { params: { path: { tenant: 'dev' } }, body: { id: 'leaver', subject: 'leaver', roles: ['frontend'] } }),
  )
  const line = await layLine(gateway.base)
  const person = await newPerson(browser, line.base)
  const page = await person.open()
  await signIn(page, made.key!)
  await page.route('**/v1/console/session', (route) => route.abort())
  await page.reload()
  await page.getByText('The gateway can’t be reached. Trying again…').waitFor()
  await page.unroute('**/v1/console/session')
  await page.locator('.bar [data-phase=live]').waitFor()

  const { error } = await gateway.client.DELETE('/v1/admin/tenants/{tenant}/keys/{kid}', { params: { path: { tenant: 'dev', kid: 'leaver' } } })
  expect(error).toBeUndefined()
  line.cut()
  line.mend()
  await page.getByText('The sign-in has ended. Please sign in again.').waitFor({ timeout: 60_000 })
  expectGood(person.misdeeds, away)
  await person.context.close()
  await line.close()
})
