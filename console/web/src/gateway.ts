import { signal } from '@preact/signals'
import { createClient, GatewayError, type Connection, type Schemas } from '@session-gateway/client'
import { learnTime } from './clock.ts'

export type SignIn = Schemas['SignIn']

/** Who is signed in: undefined until the gateway has said, null for nobody. */
export const who = signal<SignIn | null | undefined>(undefined)

/** What became of the last sign-in, where a person should know. */
export const farewell = signal('')

/** How every request is made: the browser adds the cookie, a write shows the sign-in's token. */
export const connection: Connection = {
  csrfToken: () => who.value?.csrf_token ?? '',
  fetch: async (request) => {
    const response = await fetch(request)
    learnTime(response.headers.get('Date'))
    return response
  },
}

/** All routes of the gateway. */
export const gateway = createClient(connection)

/** How long to wait before a gateway that is away is asked again. */
const retryMs = 2000

/** Tells the browser's other tabs, which have the same cookie, that it is somebody else's now, or nobody's. */
const tabs = new BroadcastChannel('session-gateway')

tabs.onmessage = ({ data }) => {
  if (data === 'signed out') forget('You are signed out.')
  else void resume()
}

const unauthenticated = 401

/** Asks who the cookie is, after the page was loaded, until the gateway says so: one that is away signs nobody out. */
export async function resume(): Promise<void> {
  const response = await connection.fetch!(new Request('/v1/console/session', { cache: 'no-store' })).catch(() => null)
  const told = response?.ok ? ((await response.json().catch(() => null)) as SignIn | null) : null
  if (told || response?.status === unauthenticated) {
    farewell.value = ''
    who.value = told
    return
  }
  farewell.value = 'The gateway can’t be reached. Trying again…'
  setTimeout(() => void resume(), retryMs)
}

/** What a header can carry; more may come with what was copied. */
const sendable = /^[\x21-\x7e]+$/

/** Signs in with a key or token; gives what is wrong with it, or nothing. */
export async function signIn(key: string): Promise<string> {
  if (!sendable.test(key)) return 'No key has such characters in it. Was something else copied with it?'
  const as = createClient({ key })
  try {
    const { data, error, response } = await as.POST('/v1/console/session')
    if (!data) return response.status === unauthenticated ? 'The gateway doesn’t know this key.' : problemText(error)
    farewell.value = ''
    who.value = data
    tabs.postMessage('signed in')
    return ''
  } catch (error) {
    return reasonOf(error)
  }
}

/** Signs out, here and in all tabs; gives why that was not possible, or nothing. */
export async function signOut(): Promise<string> {
  try {
    const { error, response } = await gateway.DELETE('/v1/console/session')
    if (!response.ok && response.status !== unauthenticated) return problemText(error)
  } catch (error) {
    return reasonOf(error)
  }
  tabs.postMessage('signed out')
  forget('You are signed out.')
  return ''
}

/** Goes back to the sign-in; says why. */
export function forget(why: string): void {
  farewell.value = why
  who.value = null
}

/** Whether the person may answer, change and abort. Who may not sees everything all the same. */
export function mayAct(): boolean {
  return who.value?.roles.some((role) => role === 'frontend' || role === 'admin') ?? false
}

/** A refusal, for a person. What isn't a problem document comes from something between here and the gateway. */
export function problemText(problem: Partial<Schemas['Problem']> | string | undefined): string {
  const said = typeof problem === 'object' ? problem.detail || problem.title : ''
  return said || 'Something between this page and the gateway refused it.'
}

/** What went wrong, for a person. */
export function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return error.problem ? problemText(error.problem) : `The gateway answered ${error.status}.`
  return 'The gateway can’t be reached.'
}
