import createFetchClient, { type Client as FetchClient } from 'openapi-fetch'
import type { paths } from './generated/openapi.js'
import { retrying } from './retry.js'

/** A secret, or what gives the one that holds now. */
export type Secret = string | (() => string | Promise<string>)

/** Where the gateway is and who is calling. */
export interface Connection {
  /** As https://gateway.example; the page's own origin if left out. */
  baseUrl?: string
  /** A key or token, sent as a bearer. Pages that are signed in have a cookie instead. */
  key?: Secret
  /** The `csrf_token` of a sign-in, for writes with its cookie. */
  csrfToken?: Secret
  /** What makes requests; the platform's own if left out. */
  fetch?: (request: Request) => Promise<Response>
}

/** Every route of the contract, typed: `client.GET('/v1/sessions/{sid}', …)`. */
export type Client = FetchClient<paths>

/**
 * Makes a client of every route. A request that may be repeated is, up to
 * three times; each POST has an Idempotency-Key, so that it counts once.
 */
export function createClient(connection: Connection = {}): Client {
  const client = createFetchClient<paths>({
    baseUrl: connection.baseUrl ?? '',
    cache: 'no-store', // what may be stored makes a browser's other tabs wait for this one's answer
    fetch: retrying(connection.fetch ?? ((request) => fetch(request))),
  })
  client.use({
    async onRequest({ request }) {
      await authorize(connection, request.headers)
      return request
    },
  })
  return client
}

/** Adds who is calling to a request's headers. */
export async function authorize(connection: Connection, headers: Headers): Promise<void> {
  if (connection.key) headers.set('Authorization', `Bearer ${await told(connection.key)}`)
  if (connection.csrfToken) headers.set('X-CSRF-Token', await told(connection.csrfToken))
}

async function told(secret: Secret): Promise<string> {
  return typeof secret === 'string' ? secret : secret()
}
