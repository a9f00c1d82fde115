import type { Schemas } from '../events.js'
import { change, find, put } from './lists.js'

/** A call of a batch, with what its host said while it ran. */
export interface CallView extends Readonly<Schemas['Call']> {
  readonly progress?: Schemas['CallProgress']
}

/** A batch with the results that are known of it. */
export interface BatchView extends Omit<Readonly<Schemas['Batch']>, 'calls'> {
  readonly calls: readonly CallView[]
  /** Whether the host's next model request fitted the ledger, once it asked. */
  readonly check?: Schemas['ModelRequestCheck']
}

type Batches = readonly BatchView[]

/**
 * Takes over a batch, from an event or a route: what has ended stays ended, and
 * a result that is known whole is not replaced by a preview of it, nor by none.
 */
export function putBatch(list: Batches, batch: Schemas['Batch']): Batches {
  const known = find(list, batch.id)
  if (!known) return put(list, batch)
  const calls = batch.calls.map((call) => mergeCall(known.calls[call.position], call))
  const running = batch.status === 'running' && known.status !== 'running'
  return put(list, running ? { ...known, calls } : { ...known, ...batch, calls })
}

function mergeCall(known: CallView | undefined, call: CallView): CallView {
  if (known?.state !== 'done') return call.state === 'done' || !known ? call : { ...call, ...known }
  const { result } = known
  return { ...known, ...call, state: 'done', ...(better(result, call.result) && { result: result! }) }
}

function better(known: CallView['result'], other: CallView['result']): boolean {
  return known !== undefined && (!other || other.output_preview === true)
}

/** Takes a call's result over. */
export function putResult(list: Batches, bid: string | undefined, result: Schemas['Result']): Batches {
  return change(list, bid, (batch) => editCall(batch, result.position, (call) => mergeCall(call, { ...call, state: 'done', result })))
}

/** Changes a call that has not ended. */
export function changeCall(list: Batches, bid: string | undefined, position: number, edit: (call: CallView) => CallView): Batches {
  return change(list, bid, (batch) => editCall(batch, position, (call) => (call.state === 'done' ? call : edit(call))))
}

function editCall(batch: BatchView, position: number, edit: (call: CallView) => CallView): BatchView {
  const call = batch.calls[position]
  return call ? { ...batch, calls: batch.calls.with(position, edit(call)) } : batch
}

/** Notes whether the next model request fitted. */
export function putCheck(list: Batches, check: Schemas['ModelRequestCheck']): Batches {
  return change(list, check.batch_id, (batch) => ({ ...batch, check }))
}
