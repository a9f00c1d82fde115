// @vitest-environment happy-dom
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { Inbox } from '../examples/Inbox.js'
import { mountInbox } from '../examples/inbox.js'
import type { Connection } from '../src/index.js'
import { ask, askingSession, eventually, ok, startGateway } from './gateway.js'

const hostile = '<img src=x onerror=alert(1)>'

/** How each example is put on a page; gives what ends it. */
const examples: Record<string, (root: HTMLElement, connection: Connection) => () => void> = {
  'plain JS': mountInbox,
  React(root, connection) {
    const app = createRoot(root)
    app.render(createElement(Inbox, { connection }))
    return () => app.unmount()
  },
}

/** The page is of another origin than the gateway, as an app of its own is. */
const start = () => startGateway(`--cors-origin=${location.origin}`)

for (const [name, mount] of Object.entries(examples)) {
  test(`the inbox in ${name} shows questions as text and answers them`, async () => {
    const { client, connection } = await start()
    const asked = await ask(client, await askingSession(client), hostile)
    const root = document.body.appendChild(document.createElement('div'))
    const unmount = mount(root, connection)
    const shown = () => [...root.querySelectorAll('li')]
    await eventually(() => expect(shown()).toHaveLength(1))
    expect(root.querySelector('[role=status]')?.textContent).toBe('live')
    expect(shown()[0]?.textContent).toContain(hostile)
    expect(root.querySelector('img')).toBeNull()

    press(root, 'Allow once')
    await eventually(() => expect(shown()).toEqual([]))
    const approval = await ok(client.GET('/v1/approvals/{aid}', { params: { path: { aid: asked.id } } }))
    expect(approval).toMatchObject({ status: 'approved', option_id: 'allow_once' })
    unmount()
    await eventually(() => expect(root.textContent).toBe(''))
    root.remove()
  })

  test(`the inbox in ${name} says who was faster`, async () => {
    const { client, connection } = await start()
    const asked = await ask(client, await askingSession(client))
    const rival = () => ok(client.POST('/v1/approvals/{aid}/respond', { params: { path: { aid: asked.id } }, body: { option_id: 'reject' } }))
    const root = document.body.appendChild(document.createElement('div'))
    const unmount = mount(root, {
      ...connection,
      async fetch(request) {
        if (request.url.endsWith('/respond')) await rival()
        return fetch(request)
      },
    })
    await eventually(() => expect(root.querySelectorAll('li')).toHaveLength(1))
    press(root, 'Allow once')
    await eventually(() => expect(root.querySelector('[role=alert]')?.textContent).toMatch(/developer.*: reject/))
    expect(root.querySelectorAll('li')).toHaveLength(0)
    unmount()
    root.remove()
  })
}

function press(root: HTMLElement, label: string): void {
  const button = [...root.querySelectorAll('button')].find((each) => each.textContent === label)
  expect(button, label).toBeDefined()
  button!.click()
}
