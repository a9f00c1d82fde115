import type { Connection } from './client.js'
import type { Frame } from './sse.js'

/** One connection to a stream that is to be opened. */
export interface Opening {
  /** The path of the stream, and of the tickets that open it. */
  path: string
  ticketPath: string
  /** The types that the stream can have. */
  types: readonly string[]
  /** What is asked of the stream besides where to begin. */
  query: URLSearchParams
  /** The cursor to go on behind; null at the first time. */
  cursor: string | null
  signal: AbortSignal
  /** Is called once the gateway has accepted. */
  opened: () => void
  /** Is called with the gateway's hint when to come back. */
  hint: (ms: number) => void
}

/**
 * How frames come: ends where the connection ended, throws a GatewayError where
 * the gateway refused and any other error where it could not be reached.
 */
export type Transport = (connection: Connection, opening: Opening) => AsyncGenerator<Frame, void>

/** Makes an address under the connection's base. */
export function address(connection: Connection, path: string, query: URLSearchParams): string {
  const base = (connection.baseUrl ?? '').replace(/\/$/, '')
  const search = query.toString()
  return base + path + (search && (path.includes('?') ? '&' : '?') + search)
}
