import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inject, onTestFinished, vi } from 'vitest'
import { createClient, type Client, type Connection, type Schemas } from '../src/index.js'

/** The key of every gateway started here; it has every role. */
export const key = 'test-key'

/** Waits until a check passes: far longer than it takes, for the sake of busy machines. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 })

/** A running gateway. */
export interface Gateway {
  connection: Connection & { baseUrl: string }
  client: Client
  kill: () => Promise<void>
}

/** Starts the real program; it ends with the test. */
export async function startGateway(...flags: string[]): Promise<Gateway> {
  const child = spawn(inject('gateway'), ['serve', '--dev', '--listen=127.0.0.1:0', '--log-level=error', ...flags], {
    env: { ...process.env, GATEWAY_DEV_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => stop(child)
  onTestFinished(kill)
  const connection = { baseUrl: await address(child), key }
  return { connection, client: createClient(connection), kill }
}

async function address(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!)) {
    const found = /^gateway listens on (\S+)/.exec(line.trim())
    if (found) {
      child.stdout!.resume()
      return found[1]!
    }
  }
  throw new Error('the gateway ended before it served')
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Gives a port that is free now, of those that no system gives to a connection: it stays free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 23_000 + Math.floor(Math.random() * 9_000)
    const server = createServer().listen(port, '127.0.0.1')
    const free = await once(server, 'listening').then(() => true, () => false)
    if (!free) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Makes a session with one tool that has to be asked for. */
export async function askingSession(client: Client): Promise<string> {
  const body = { tools: [{ name: 'write_file', kind: 'edit' as const }], rules: { ask: ['write_file(*)'] } }
  return (await ok(client.POST('/v1/sessions', { body }))).id
}

/** Sends one call that needs a person, and gives the question. */
export async function ask(client: Client, sid: string, file = 'a.txt', id = 'c1'): Promise<Schemas['Approval']> {
  const calls = [{ id, name: 'write_file', arguments: { file_path: file, content: 'x' } }]
  const params = { path: { sid } }
  const batch = await ok(client.POST('/v1/sessions/{sid}/batches', { params, body: { format: 'native', calls } }))
  const aid = batch.calls[0]!.approval_id!
  return ok(client.GET('/v1/approvals/{aid}', { params: { path: { aid } } }))
}

/** Gives what a request answered; a refusal fails the test. */
export async function ok<T>(request: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await request
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
