import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn, widerThanTheirPlace } from './browser.ts'
import { newSession, ok, send } from './gateway.ts'
import { answer, finish } from './scene.ts'
import { useWorld } from './world.ts'

const world = useWorld()

const html = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script><b id="injected">bold</b>'
const ansi = '\u001b[2J\u001b[31mred'
const turned = 'invoice\u202etxt.exe'
const long = 'W'.repeat(6000)
const nasty = `${html} ${ansi} ${turned} \u200b\u2066 [x](javascript:window.hurt=1) ${long}`

/** Fails where a text became more than text, or left its place. */
async function expectHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => ({
    hurt: 'hurt' in window,
    injected: document.querySelectorAll('#injected, main img, main script, main iframe, main a[href^="javascript"]').length,
    raw: /[\u001b\u202e\u200b\u2066]/.test(document.body.innerText),
  }))
  expect(found, where).toEqual({ hurt: false, injected: 0, raw: false })
  expect(await widerThanTheirPlace(page), where).toEqual([])
}

test.each([
  ['wide', 1280],
  ['on a phone', 390],
])('hostile texts in every field stay texts, %s', async (_, width) => {
  const person = await world.newPerson({ viewport: { width, height: 800 } })
  const page = await person.open()
  await signIn(page)
  const { client } = world.gateway
  const sid = await newSession(client, nasty.slice(0, 200), { cwd: `/srv/${html.replaceAll('/', '')}`, labels: { title: html, other: turned } })
  const prompt = { params: { path: { sid } }, body: { input: [{ type: 'text', text: nasty }] } }
  await ok(client.POST('/v1/sessions/{sid}/turns', prompt))
  const batch = await send(
    client,
    sid,
    { id: 'h1', name: 'run_shell_command', arguments: { command: `echo ${nasty}`, [html.slice(0, 60)]: nasty } },
    { id: 'h2', name: 'edit', arguments: { file_path: `/${turned}`, old_string: nasty, new_string: `${nasty}\n${html}` } },
    { id: 'h3', name: html.slice(0, 100), arguments: nasty as never },
  )
  for (const call of batch.calls.filter((call) => call.approval_id)) {
    await page.goto(`/console/approvals/${call.approval_id}`)
    await page.locator('[data-option=reject]').waitFor()
    await expectHarmless(page, `approval of ${call.name}`)
    await answer(world.gateway, call.approval_id!, 'reject', nasty.slice(0, 4000))
    await page.locator('[data-outcome=rejected]').waitFor()
    await expectHarmless(page, `answered approval of ${call.name}`)
  }
  await send(client, sid, { id: 'r1', name: 'read_file', arguments: { file_path: `/srv/${turned}` } })
  await finish(world.gateway, sid, nasty)
  await page.goto(`/console/sessions/${sid}`)
  for (const name of [/run_shell_command/, /read_file/, /there is no such tool/]) {
    await page.getByRole('button', { name }).last().click()
    await expectHarmless(page, `call ${String(name)}`)
  }
  await page.goto('/console/sessions')
  await page.locator('.session-row').first().waitFor()
  await expectHarmless(page, 'sessions')

  const planning = await newSession(client, turned, { approval_mode: 'plan' })
  const plan = `# ${html}\n\n- ${turned}\n- \`${ansi}\`\n\n| ${html} | b |\n|---|---|\n| ${long} | x |\n\n> ${nasty}\n\n\`\`\`${turned}\n${nasty}\n\`\`\`\n`
  const proposed = await send(client, planning, { id: 'p1', name: 'exit_plan_mode', arguments: { plan } })
  await page.goto(`/console/approvals/${proposed.calls[0]!.approval_id}`)
  await page.locator('.markdown').waitFor()
  await expectHarmless(page, 'plan')
  await answer(world.gateway, proposed.calls[0]!.approval_id!, 'reject')
})
