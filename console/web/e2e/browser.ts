import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { key } from './gateway.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the system's Chromium. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: flags })
}

/** What a page did that it must not do. */
export interface Misdeeds {
  errors: string[]
  foreign: string[]
}

/** A person at a browser: their tabs share a cookie. */
export interface Person {
  context: BrowserContext
  misdeeds: Misdeeds
  open: (path?: string) => Promise<Page>
}

/** Gives a person a browser of their own. */
export async function newPerson(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext({ baseURL: base, ...options })
  context.setDefaultTimeout(60_000) // far over what anything takes, for the sake of busy machines
  const misdeeds: Misdeeds = { errors: [], foreign: [] }
  const origin = new URL(base).origin
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) misdeeds.foreign.push(request.url())
  })
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') misdeeds.errors.push(message.text())
  })
  context.on('weberror', (error) => misdeeds.errors.push(String(error.error())))
  const open = async (path = '/console/') => {
    const page = await context.newPage()
    await page.goto(path)
    return page
  }
  return { context, misdeeds, open }
}

/** Signs in with a key on the page that is shown. */
export async function signIn(page: Page, with_ = key): Promise<void> {
  await page.getByLabel('Key, or token').fill(with_)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.bar [data-phase=live]').waitFor()
}

/** The parts of a page that would have to be scrolled sideways. */
export function widerThanTheirPlace(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, .virtual, .inbox-pane')]
      .filter((el) => el.scrollWidth > el.clientWidth)
      .map((el) => el.className || el.tagName),
  )
}
