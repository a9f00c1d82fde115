// An inbox of approvals without a framework. Models write what is shown here,
// so it is only ever set as text, never as HTML.
import { answerApproval, createClient, pendingApprovals, watchTenant, withTenantAnswer } from '@session-gateway/client'

/** @import { Answered, Approval, Connection, OptionId } from '@session-gateway/client' */

/**
 * Shows who waits for a person, and lets the person answer.
 * @param {HTMLElement} root
 * @param {Connection} connection
 * @returns {() => void} what ends it
 */
export function mountInbox(root, connection) {
  const client = createClient(connection)
  const watch = watchTenant(connection)
  const status = root.appendChild(element('p'))
  const list = root.appendChild(element('ul'))
  const notice = root.appendChild(element('p'))
  status.setAttribute('role', 'status')
  notice.setAttribute('role', 'alert')

  /** @param {Approval} approval @param {OptionId} option */
  async function answer(approval, option) {
    try {
      const answered = await answerApproval(client, approval, option)
      watch.update((state) => withTenantAnswer(state, answered.approval))
      notice.textContent = answered.won ? '' : lost(answered.problem)
    } catch (error) {
      notice.textContent = String(error)
    }
  }

  const draw = () => {
    const { state, liveness } = watch.get()
    status.textContent = liveness.phase
    list.replaceChildren(...pendingApprovals(state.approvals).map((approval) => item(approval, answer)))
  }
  const unsubscribe = watch.subscribe(draw)
  draw()
  return () => {
    unsubscribe()
    watch.close()
    root.replaceChildren()
  }
}

/** @param {Approval} approval @param {(approval: Approval, option: OptionId) => void} answer */
function item(approval, answer) {
  const row = element('li', `${approval.tool} ${approval.subject}`)
  for (const option of approval.options) {
    const button = row.appendChild(element('button', option.label))
    button.addEventListener('click', () => answer(approval, option.id))
  }
  return row
}

/** @param {Extract<Answered, { won: false }>['problem']} problem */
function lost(problem) {
  return problem.resolved_by ? `${problem.resolved_by} was faster: ${problem.option_id}` : problem.title
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {string} [text]
 */
function element(tag, text = '') {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}
