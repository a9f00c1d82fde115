// Made from openapi.yaml by `make generate`. Change that instead.
import type { components } from './openapi.js'

type Schemas = components['schemas']

/** What the events of a session's stream carry. */
export interface SessionEventData {
  'session.created': Schemas['SessionSummary']
  'session.updated': Schemas['SessionSummary']
  'session.closed': Schemas['SessionSummary']
  'session.snapshot': Schemas['Snapshot']
  'stream.reset': Schemas['StreamReset']
  'stream.error': Schemas['StreamError']
  'mode.changed': Schemas['ModeChanged']
  'plan.entered': Schemas['PlanState']
  'plan.updated': Schemas['PlanState']
  'plan.exited': Schemas['PlanState']
  'turn.started': Schemas['TurnStarted']
  'message.delta': Schemas['MessageDelta']
  'turn.completed': Schemas['Turn']
  'model_request.checked': Schemas['ModelRequestCheck']
  'host.attached': Schemas['HostAttached']
  'host.lost': Schemas['HostLost']
  'batch.started': Schemas['Batch']
  'batch.completed': Schemas['Batch']
  'call.dispatched': Schemas['Dispatched']
  'call.claimed': Schemas['Claimed']
  'call.progress': Schemas['CallProgress']
  'call.cancelled': Schemas['Cancelled']
  'call.late': Schemas['Late']
  'call.result': Schemas['Result']
  'hook.requested': Schemas['HookRequested']
  'hook.resolved': Schemas['HookResolved']
  'approval.requested': Schemas['Approval']
  'approval.voted': Schemas['Approval']
  'approval.resolved': Schemas['Approval']
}

/** What the events of a tenant's stream carry. */
export interface TenantEventData {
  'tenant.snapshot': Schemas['TenantSnapshot']
  'stream.reset': Schemas['StreamReset']
  'stream.error': Schemas['StreamError']
  'session.created': Schemas['SessionSummary']
  'session.updated': Schemas['SessionSummary']
  'session.closed': Schemas['SessionSummary']
  'batch.completed': Schemas['Batch']
  'approval.requested': Schemas['Approval']
  'approval.voted': Schemas['Approval']
  'approval.resolved': Schemas['Approval']
}

/** The types of a session's stream. */
export const sessionEventTypes = [
  'session.created',
  'session.updated',
  'session.closed',
  'session.snapshot',
  'stream.reset',
  'stream.error',
  'mode.changed',
  'plan.entered',
  'plan.updated',
  'plan.exited',
  'turn.started',
  'message.delta',
  'turn.completed',
  'model_request.checked',
  'host.attached',
  'host.lost',
  'batch.started',
  'batch.completed',
  'call.dispatched',
  'call.claimed',
  'call.progress',
  'call.cancelled',
  'call.late',
  'call.result',
  'hook.requested',
  'hook.resolved',
  'approval.requested',
  'approval.voted',
  'approval.resolved',
] as const

/** The types of a tenant's stream. */
export const tenantEventTypes = [
  'tenant.snapshot',
  'stream.reset',
  'stream.error',
  'session.created',
  'session.updated',
  'session.closed',
  'batch.completed',
  'approval.requested',
  'approval.voted',
  'approval.resolved',
] as const
