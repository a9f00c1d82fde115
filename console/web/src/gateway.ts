import { signal } from '@preact/signals'
import { createClient, GatewayError, type Connection, type Schemas } from '@session-gateway/client'

export type SignIn = Schemas['SignIn']

/** Who is signed in: undefined until the gateway has said, null for nobody. */
export const who = signal<SignIn | null | undefined>(undefined)

/** What became of the last sign-in, where a person should know. */
export const farewell = signal('')

/** How every request is made: the browser adds the cookie, a write shows the sign-in's token. */
export const connection: Connection = { csrfToken: () => who.value?.csrf_token ?? '' }

/** All routes of the gateway. */
export const gateway = createClient(connection)

/** How long to wait before a gateway that is away is asked again. */
const retryMs = 2000

/** Asks who the cookie is, after the page was loaded, until the gateway says so: one that is away signs nobody out. */
export async function resume(): Promise<void> {
  const response = await fetch('/v1/console/session', { cache: 'no-store' }).catch(() => null)
  if (response?.ok) who.value = (await response.json()) as SignIn
  else if (response?.status === 401) who.value = null
  else {
    farewell.value = 'The gateway can’t be reached. Trying again…'
    setTimeout(() => void resume(), retryMs)
    return
  }
  farewell.value = ''
}

/** Signs in with a key or token; gives what is wrong with it, or nothing. */
export async function signIn(key: string): Promise<string> {
  const as = createClient({ key })
  try {
    const { data, error } = await as.POST('/v1/console/session')
    if (!data) return error.code === 'unauthenticated' ? 'The gateway doesn’t know this key.' : problemText(error)
    farewell.value = ''
    who.value = data
    return ''
  } catch (error) {
    return reasonOf(error)
  }
}

/** Signs out, here and in all tabs. */
export async function signOut(): Promise<void> {
  await gateway.DELETE('/v1/console/session').catch(() => undefined) // the cookie ends by itself then
  forget('You are signed out.')
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

/** A refusal, for a person. */
export function problemText(problem: Schemas['Problem']): string {
  return problem.detail || problem.title
}

/** What went wrong, for a person. */
export function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return error.problem ? problemText(error.problem) : `The gateway answered ${error.status}.`
  return 'The gateway can’t be reached.'
}
