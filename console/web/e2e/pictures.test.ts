import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, widerThanTheirPlace } from './browser.ts'
import { makeScene, type Scene } from './scene.ts'
import { useWorld } from './world.ts'

/** Where the pictures go; without it they are looked at and thrown away. */
const kept = process.env.CONSOLE_PICTURES

/** A page with several pictures still loads at once. */
const maxBytes = 150_000

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const world = useWorld()

let scene: Scene
let pictures: string

beforeAll(async () => {
  scene = await makeScene(world.gateway)
  pictures = kept ?? (await mkdtemp(join(tmpdir(), 'console-')))
})

afterAll(async () => {
  if (!kept) await rm(pictures, { recursive: true, force: true })
})

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const

const views: [string, () => string, (page: Page) => Promise<unknown>][] = [
  ['approval', () => `/console/approvals/${scene.shell}`, (page) => page.getByText('What rules see').waitFor()],
  ['edit', () => `/console/approvals/${scene.edit}`, (page) => page.locator('.diff').waitFor()],
  ['plan', () => `/console/approvals/${scene.plan}`, (page) => page.getByText('Last time').waitFor()],
  ['sessions', () => '/console/sessions', (page) => page.getByText('Fix the flaky upload test').waitFor()],
  [
    'session',
    () => `/console/sessions/${scene.sid}`,
    async (page) => {
      await page.locator('.session [data-phase=live]').waitFor()
      await page.getByRole('button', { name: /write_file/ }).click()
    },
  ],
]

test.each(looks)('every view in $name fits its page, and has no serious fault for axe', async ({ name, ...look }) => {
  const person = await world.newPerson(look)
  const page = await person.open()
  await expectAccessible(page, `sign-in, ${name}`)
  await take(page, `console-sign-in-${name}`)
  await signIn(page)
  for (const [view, address, ready] of views) {
    await page.goto(address())
    await page.locator('.bar [data-phase=live]').waitFor()
    await ready(page)
    await expectAccessible(page, `${view}, ${name}`)
    await take(page, `console-${view}-${name}`)
    expect(await widerThanTheirPlace(page), `${view}, ${name}`).toEqual([])
  }
})

async function take(page: Page, name: string): Promise<void> {
  const path = join(pictures, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  expect((await stat(path)).size).toBeLessThan(maxBytes)
}

async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(await readFile(axe, 'utf8'))
  const faults = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } }).axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })
  expect(faults, where).toEqual([])
}
