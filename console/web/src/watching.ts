import { signal, type ReadonlySignal } from '@preact/signals'
import { watchSession, watchTenant, type SessionState, type TenantState, type Watch, type Watched } from '@session-gateway/client'
import { connection } from './gateway.ts'

/** A watch as a signal, and what changes and ends it. */
export interface Live<S> extends Pick<Watch<S>, 'update' | 'close'> {
  now: ReadonlySignal<Watched<S>>
}

function live<S>(watch: Watch<S>): Live<S> {
  const now = signal(watch.get())
  watch.subscribe(() => {
    now.value = watch.get()
  })
  return { now, update: watch.update, close: watch.close }
}

/** Watches who waits for a person, in all sessions. */
export const liveTenant = (): Live<TenantState> => live(watchTenant(connection))

/** Watches one session. */
export const liveSession = (sid: string): Live<SessionState> => live(watchSession(connection, sid))
