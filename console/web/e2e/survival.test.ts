import { afterAll, expect, test } from 'vitest'
import { signIn } from './browser.ts'
import { freePort, newSession, ok, send, startGateway, startRedis } from './gateway.ts'
import { layLine } from './line.ts'
import { useWorld } from './world.ts'

let redis: Awaited<ReturnType<typeof startRedis>>
let listen: string

const start = () => startGateway(`--listen=${listen}`, `--redis=${redis.url}`)

afterAll(() => redis?.stop()) // the last of all: hooks run from the last to the first

const world = useWorld(async () => {
  redis = await startRedis()
  listen = `127.0.0.1:${await freePort()}`
  return start()
})

const write = (id: string) => ({ id, name: 'write_file', arguments: { file_path: `${id}.txt`, content: 'x' } })

/** What a browser logs of a gateway that is away. */
const away = /ERR_CONNECTION|ERR_INTERNET|ERR_INCOMPLETE|ERR_NETWORK|ERR_EMPTY|net::/

test('a gateway that is killed and started again leaves the page complete, without a reload', async () => {
  const person = await world.newPerson({ provokes: away })
  const page = await person.open()
  await signIn(page)
  const before = await newSession(world.gateway.client, 'before')
  await send(world.gateway.client, before, write('before'))
  const watcher = await person.open(`/console/sessions/${before}`)
  await watcher.locator('.session [data-phase=live]').waitFor()
  await page.getByText('before.txt').waitFor()

  await world.gateway.stop()
  await page.locator('.bar [data-phase=waiting]').waitFor()
  await watcher.locator('.session [data-phase=waiting]').waitFor()
  await page.getByRole('button', { name: /before.txt/ }).click()
  await page.locator('[data-option=allow_once]').click()
  await page.locator('[data-outcome=refused]').getByText('can’t be reached').waitFor()

  world.gateway = await start()
  await send(world.gateway.client, await newSession(world.gateway.client, 'after'), write('after'))
  await page.locator('.bar [data-phase=live]').waitFor()
  await page.locator('.inbox-list').getByText('after.txt').waitFor()
  await page.locator('[data-option=allow_once]').click()
  await watcher.locator('.session [data-phase=live]').waitFor()
  await watcher.getByRole('button', { name: /write_file.*offered to hosts/ }).waitFor()
})

test('a network that was cut for 20 s costs no event', async () => {
  const line = await layLine(world.gateway.base)
  const person = await world.newPerson({ base: line.base, provokes: away })
  const sid = await newSession(world.gateway.client, 'cut')
  const page = await person.open(`/console/sessions/${sid}`)
  await signIn(page)
  await page.locator('.session [data-phase=live]').waitFor()

  await person.context.setOffline(true)
  line.cut()
  await page.locator('.session [data-phase=waiting]').getByText('offline, next try in').waitFor()
  for (let n = 0; n < 20; n++) {
    const calls = Array.from({ length: 3 }, (_, m) => ({ id: `cut-${n}-${m}`, name: 'no_such_tool', arguments: { n, m } }))
    await send(world.gateway.client, sid, ...calls)
    await page.waitForTimeout(1_000) // the cut itself: what is sent meanwhile comes a second apart
  }
  line.mend()
  await person.context.setOffline(false)
  await page.locator('.facts', { hasText: '20 batches' }).waitFor({ timeout: 90_000 })
  await page.locator('.session [data-phase=live]').waitFor()
}, 180_000)

test('a sign-in that ends leads back to it and says so', async () => {
  const person = await world.newPerson()
  const page = await person.open()
  await signIn(page)
  const other = await person.open()
  await other.locator('.bar [data-phase=live]').waitFor()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByText('You are signed out.').waitFor()
  await page.reload()
  await page.getByLabel('Key, or token').waitFor()
  expect(await person.context.cookies()).toEqual([])
})

test('a key that is revoked leads back to the sign-in, and a page that was loaded while the gateway was away waits for it', async () => {
  const made = await ok(
    world.gateway.client.POST('/v1/admin/tenants/{tenant}/keys', { params: { path: { tenant: 'dev' } }, body: { id: 'leaver', subject: 'leaver', roles: ['frontend'] } }),
  )
  const line = await layLine(world.gateway.base)
  const person = await world.newPerson({ base: line.base, provokes: away })
  const page = await person.open()
  await signIn(page, made.key!)
  await page.route('**/v1/console/session', (route) => route.abort())
  await page.reload()
  await page.getByText('The gateway can’t be reached. Trying again…').waitFor()
  await page.unroute('**/v1/console/session')
  await page.locator('.bar [data-phase=live]').waitFor()

  const { error } = await world.gateway.client.DELETE('/v1/admin/tenants/{tenant}/keys/{kid}', { params: { path: { tenant: 'dev', kid: 'leaver' } } })
  expect(error).toBeUndefined()
  line.cut()
  line.mend()
  await page.getByText('The sign-in has ended. Please sign in again.').waitFor()
})
