import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A line to a gateway that can be cut. */
export interface Line {
  base: string
  cut: () => void
  mend: () => void
  /** Lets the next request that begins so get no answer. */
  swallow: (start: string) => void
}

/** Lays a line to the gateway at an address; it is gone after the test. */
export async function layLine(to: string): Promise<Line> {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let whole = true
  let swallowed = ''
  const server = createServer((near) => {
    if (!whole) return near.destroy()
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => open.delete(one) && other.destroy())
    }
    near.on('data', (data) => {
      if (swallowed && data.toString('latin1').startsWith(swallowed)) swallowed = ''
      else far.write(data)
    })
    far.pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    whole = false
    for (const socket of open) socket.destroy()
  }
  onTestFinished(async () => {
    cut()
    server.close()
    await once(server, 'close')
  })
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, mend: () => (whole = true), swallow: (start) => (swallowed = start) }
}
