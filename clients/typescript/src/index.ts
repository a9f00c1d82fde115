/**
 * The session gateway's client: its routes ({@link createClient}), its streams
 * ({@link sessionEvents}, {@link tenantEvents}), the states that they add up to
 * ({@link reduceSession}, {@link reduceTenant}) and, of all three, a state that
 * stays up to date ({@link watchSession}, {@link watchTenant}).
 */
export { answerApproval, type Answered, type OptionId } from './answer.js'
export { createClient, type Client, type Connection, type Secret } from './client.js'
export { seqOf, type Schemas, type SessionEvent, type TenantEvent } from './events.js'
export { overFetch } from './fetch-transport.js'
export type { SessionEventData, TenantEventData } from './generated/events.js'
export type { components, operations, paths } from './generated/openapi.js'
export { GatewayError, type Problem } from './problem.js'
export { sessionEvents, StreamEnded, tenantEvents, type Connecting, type StreamOptions } from './reader.js'
export type { Frame } from './sse.js'
export { pendingApprovals, type Approval } from './state/approvals.js'
export type { BatchView, CallView } from './state/batches.js'
export type { SessionView } from './state/documents.js'
export {
  emptySession,
  reduceSession,
  withAnswer,
  withBatch,
  withSession,
  withTurn,
  type SessionState,
} from './state/session.js'
export { emptyTenant, reduceTenant, withApprovalPage, withTenantAnswer, withTenantSession, type TenantSession, type TenantState } from './state/tenant.js'
export type { TurnView } from './state/turns.js'
export { overTickets, type EventSourceConstructor, type EventSourceLike } from './ticket-transport.js'
export type { Opening, Transport } from './transport.js'
export { watchSession, watchTenant, type Liveness, type Watch, type Watched, type WatchOptions } from './watch.js'
