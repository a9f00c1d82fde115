import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { createClient, type Client, type Schemas } from '@session-gateway/client'

/** The key of every gateway started here; it has every role. */
export const key = 'console-test-key'

/** Where the program is; `make test-web` says. */
const program = process.env.GATEWAY_BIN ?? new URL('../../../bin/gateway', import.meta.url).pathname

/** A running gateway. */
export interface Gateway {
  base: string
  client: Client
  stop: () => Promise<void>
}

/** Starts the program on an address, or on a free one. */
export async function startGateway(...flags: string[]): Promise<Gateway> {
  const args = ['serve', '--dev', '--log-level=error', ...(flags.some((flag) => flag.startsWith('--listen')) ? [] : ['--listen=127.0.0.1:0']), ...flags]
  const child = spawn(program, args, { env: { ...process.env, GATEWAY_DEV_KEY: key }, stdio: ['ignore', 'pipe', 'inherit'] })
  const base = await addressOf(child)
  return { base, client: createClient({ baseUrl: base, key }), stop: () => stop(child, 'SIGKILL') }
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface(child.stdout!)) {
    const found = /^gateway listens on (\S+)/.exec(line.trim())
    if (found) {
      child.stdout!.resume()
      return found[1]!
    }
  }
  throw new Error('the gateway ended before it served')
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

/** A real Redis that keeps nothing on disk. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const child = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout!)) if (line.includes('Ready to accept connections')) break
  child.stdout!.resume()
  return { url: `redis://127.0.0.1:${port}`, stop: () => stop(child, 'SIGKILL') }
}

/** Gives a port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type Spec = Schemas['SessionSpec']

const tools: NonNullable<Spec['tools']> = [
  { name: 'read_file', kind: 'read' },
  { name: 'edit', kind: 'edit' },
  { name: 'write_file', kind: 'edit' },
  { name: 'run_shell_command', kind: 'execute' },
]

/** Makes a session whose writes and commands have to be asked for. */
export async function newSession(client: Client, title: string, more: Spec = {}): Promise<string> {
  const body = { tools, labels: { title }, cwd: '/srv/app', ...more }
  return (await ok(client.POST('/v1/sessions', { body }))).id
}

/** A call as a model writes it. */
export interface Call {
  id: string
  name: string
  arguments: Record<string, unknown>
}

/** Sends a batch. */
export async function send(client: Client, sid: string, ...calls: Call[]): Promise<Schemas['Batch']> {
  return ok(client.POST('/v1/sessions/{sid}/batches', { params: { path: { sid } }, body: { calls } }))
}

/** Gives what a request answered; a refusal fails the test. */
export async function ok<T>(request: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await request
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
