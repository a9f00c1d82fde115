import type { Schemas } from './events.js'

/** What the gateway says about a request that it refuses. Programs decide by `code`. */
export type Problem = Schemas['Problem']

const serverFault = 500

/** A request that was refused. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'

  /** `problem` is null where something between here and the gateway answered. */
  constructor(
    readonly status: number,
    readonly problem: Problem | null,
    /** How long the answer asks to wait before the next try. */
    readonly retryAfterMs = 0,
  ) {
    super(problem ? `${problem.code}: ${problem.detail || problem.title}` : `HTTP ${status}`)
  }

  /** Says whether the same request may succeed later. */
  get retryable(): boolean {
    return this.problem?.retryable === true || this.status === 429 || this.status >= serverFault
  }
}

/** Reads what an answer that is not a success says. */
export async function refusal(response: Response): Promise<GatewayError> {
  const body: unknown = await response.json().catch(() => null)
  return new GatewayError(response.status, isProblem(body) ? body : null, retryAfter(response))
}

/** Makes the error of a refusal that was read already. */
export function refused(response: Response, body: unknown): GatewayError {
  return new GatewayError(response.status, isProblem(body) ? body : null, retryAfter(response))
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
}

/** How long an answer asks to wait, in milliseconds. */
export function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After'))
  return seconds > 0 ? seconds * 1000 : 0
}
