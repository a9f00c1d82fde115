// The same inbox in React.
import { answerApproval, createClient, pendingApprovals, watchTenant, withTenantAnswer } from '@session-gateway/client'
import type { Approval, Connection, OptionId, TenantState, Watch, Watched } from '@session-gateway/client'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

/** Gives what is watched, and draws again when it changes. */
export function useWatched<S>(watch: Watch<S>): Watched<S> {
  return useSyncExternalStore(watch.subscribe, watch.get)
}

/** Shows who waits for a person, and lets the person answer. */
export function Inbox({ connection }: { connection: Connection }) {
  const [watch, setWatch] = useState<Watch<TenantState> | null>(null)
  useEffect(() => {
    const opened = watchTenant(connection) // in an effect: it opens a connection
    setWatch(opened)
    return opened.close
  }, [connection])
  return watch && <Waiting connection={connection} watch={watch} />
}

function Waiting({ connection, watch }: { connection: Connection; watch: Watch<TenantState> }) {
  const client = useMemo(() => createClient(connection), [connection])
  const [notice, setNotice] = useState('')
  const { state, liveness } = useWatched(watch)

  async function answer(approval: Approval, option: OptionId) {
    try {
      const answered = await answerApproval(client, approval, option)
      watch.update((state) => withTenantAnswer(state, answered.approval))
      setNotice(answered.won ? '' : `${answered.problem.resolved_by ?? answered.problem.title}: ${answered.problem.option_id ?? ''}`)
    } catch (error) {
      setNotice(String(error))
    }
  }

  return (
    <>
      <p role="status">{liveness.phase}</p>
      <ul>
        {pendingApprovals(state.approvals).map((approval) => (
          <li key={approval.id}>
            {approval.tool} {approval.subject}
            {approval.options.map((option) => (
              <button key={option.id} onClick={() => void answer(approval, option.id)}>
                {option.label}
              </button>
            ))}
          </li>
        ))}
      </ul>
      <p role="alert">{notice}</p>
    </>
  )
}
