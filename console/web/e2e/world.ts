import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { newPerson, startBrowser, type Person } from './browser.ts'
import { startGateway, type Gateway } from './gateway.ts'

/** What a test needs of a person beyond what all do. */
export interface PersonOptions extends BrowserContextOptions {
  /** Where the person looks, if not at the gateway itself. */
  base?: string
  /** Errors that a browser logs because the test provokes them, as an answer of 409. */
  provokes?: RegExp
}

/** What the tests of a file share: a gateway, a browser, and people who are gone after each test. */
export interface World {
  gateway: Gateway
  browser: Browser
  newPerson: (options?: PersonOptions) => Promise<Person>
}

/** Whoever isn't signed in yet is told so. */
const always = /401/

/**
 * Begins and ends what the tests of a file share. After each test its people's
 * pages must have logged no error and spoken to nobody else.
 */
export function useWorld(start: () => Promise<Gateway> = startGateway): World {
  const people: { person: Person; provokes: RegExp }[] = []
  const world = {} as World
  world.newPerson = async ({ base = world.gateway.base, provokes = always, ...look } = {}) => {
    const person = await newPerson(world.browser, base, look)
    people.push({ person, provokes })
    return person
  }
  beforeAll(async () => {
    world.gateway = await start()
    world.browser = await startBrowser()
  })
  afterEach(async () => {
    const gone = people.splice(0)
    await Promise.all(gone.map(({ person }) => person.context.close()))
    for (const { person, provokes } of gone) {
      const { errors, foreign } = person.misdeeds
      expect(errors.filter((text) => !always.test(text) && !provokes.test(text))).toEqual([])
      expect(foreign).toEqual([])
    }
  })
  afterAll(async () => {
    await world.browser?.close()
    await world.gateway?.stop()
  })
  return world
}
