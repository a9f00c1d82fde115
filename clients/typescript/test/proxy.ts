import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a gateway that can be cut. */
export interface Proxy {
  baseUrl: string
  /** Ends all connections now. */
  cut: () => void
}

/** Opens a way to a gateway; with `bytes` each connection is cut after as many of an answer. */
export async function openProxy(baseUrl: string, bytes = Number.POSITIVE_INFINITY): Promise<Proxy> {
  const target = new URL(baseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    let left = bytes
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    near.pipe(far)
    far.on('data', (data: Buffer) => {
      near.write(data.subarray(0, left), () => left <= 0 && end())
      left -= data.length
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => sockets.forEach((socket) => socket.destroy())
  onTestFinished(() => {
    cut()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut }
}
