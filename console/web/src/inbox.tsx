import { signal } from '@preact/signals'
import type { Approval } from '@session-gateway/client'
import { useEffect, useRef } from 'preact/hooks'
import { arrives } from './answering.ts'
import { ApprovalRow } from './approval-row.tsx'
import { ApprovalPane } from './approval-pane.tsx'
import { useKeys } from './keys.ts'
import { go } from './route.ts'
import { answered, approvalOf, tenant, waiting } from './tenant.ts'
import { Virtual } from './virtual.tsx'

const showing = signal<'waiting' | 'answered'>('waiting')

/** The approvals of the whole tenant: a list, and the one that is looked at. */
export function Inbox({ aid }: { aid: string | null }) {
  const list = showing.value === 'waiting' ? waiting.value : answered.value
  const at = list.findIndex((approval) => approval.id === aid)
  const show = (next: Approval | undefined, how?: 'replace') => next && go({ view: 'inbox', aid: next.id }, how)
  useKeys({
    j: () => show(list[Math.min(at + 1, list.length - 1)], 'replace'),
    k: () => show(list[Math.max(at - 1, 0)], 'replace'),
    Enter: () => document.getElementById('pane-title')?.focus(),
    Escape: () => go({ view: 'inbox', aid: null }),
  })
  const moved = useRef(false)
  useEffect(() => {
    if (moved.current) (document.getElementById('pane-title') ?? document.getElementById('main'))?.focus()
    moved.current = false
  }, [aid])
  // What was looked at may have been answered: the next one is what took its place, and has what follows said.
  const next = () => {
    moved.current = true
    const rest = waiting.value.filter((approval) => approval.id !== aid)
    const following = rest[Math.min(Math.max(at, 0), rest.length - 1)]?.id ?? null
    if (following) arrives(following)
    go({ view: 'inbox', aid: following }, 'replace')
  }
  return (
    <div class={`inbox ${aid ? 'inbox-open' : ''}`}>
      <section class="inbox-list" aria-label="Approvals">
        <h1 class="spoken">Approvals</h1>
        <Tabs />
        {list.length === 0 ? <Empty /> : <Rows list={list} aid={aid} />}
      </section>
      <section class="inbox-pane" aria-label="The approval">
        {aid ? <ApprovalPane key={aid} aid={aid} known={approvalOf(aid)} next={next} /> : <Hint />}
      </section>
    </div>
  )
}

function Tabs() {
  const tab = (which: 'waiting' | 'answered', count: number) => (
    <button type="button" aria-pressed={showing.value === which} onClick={() => (showing.value = which)}>
      {which === 'waiting' ? 'Waiting' : 'Answered'} <span class="count">{count}</span>
    </button>
  )
  return (
    <div class="tabs" role="group" aria-label="Which approvals">
      {tab('waiting', waiting.value.length)}
      {tab('answered', answered.value.length)}
    </div>
  )
}

function Rows({ list, aid }: { list: Approval[]; aid: string | null }) {
  return (
    <Virtual items={list} keyOf={(approval) => approval.id} estimate={84} label="Approvals" reveal={aid}>
      {(approval) => (
        <button
          type="button"
          class="row"
          aria-current={approval.id === aid ? 'true' : undefined}
          onClick={() => go({ view: 'inbox', aid: approval.id })}
        >
          <ApprovalRow approval={approval} />
        </button>
      )}
    </Virtual>
  )
}

function Empty() {
  if (!tenant.value?.ready) return <p class="empty">Asking the gateway…</p>
  return showing.value === 'waiting' ? (
    <p class="empty">
      <strong>Nobody waits for you.</strong>
      <br />
      New approvals appear here by themselves.
    </p>
  ) : (
    <p class="empty">What is answered while this page is open appears here.</p>
  )
}

function Hint() {
  return (
    <p class="empty pane-hint">
      {waiting.value.length > 0 ? (
        <>
          <kbd>j</kbd> shows the first approval, <kbd>?</kbd> all keys.
        </>
      ) : (
        'Approvals are shown here.'
      )}
    </p>
  )
}
