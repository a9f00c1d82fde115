import { authorize, type Connection } from './client.js'
import { refusal } from './problem.js'
import { FrameParser, type Frame } from './sse.js'
import { address, type Opening } from './transport.js'

/** Three of the gateway's heartbeats: a connection that is silent for so long is dead. */
const silenceMs = 45_000

/** Reads a stream by fetch, which can send a key in a header. It notices a connection that died silently. */
export async function* overFetch(connection: Connection, opening: Opening): AsyncGenerator<Frame, void> {
  const silence = new Silence(opening.signal)
  try {
    const response = await request(connection, opening, silence.signal)
    opening.opened()
    yield* frames(response.body!, opening, silence)
  } finally {
    silence.end()
  }
}

async function request(connection: Connection, opening: Opening, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ Accept: 'text/event-stream' })
  await authorize(connection, headers)
  if (opening.cursor !== null) headers.set('Last-Event-ID', opening.cursor)
  const send = connection.fetch ?? ((request: Request) => fetch(request))
  const url = address(connection, opening.path, opening.query)
  // What may be stored makes a browser's other tabs wait until this one's has begun.
  const response = await send(new Request(url, { headers, signal, cache: 'no-store' }))
  if (!response.ok) throw await refusal(response)
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream') || !response.body) {
    await response.body?.cancel()
    throw new Error('the answer is not a stream of events')
  }
  return response
}

async function* frames(body: ReadableStream<Uint8Array>, opening: Opening, silence: Silence): AsyncGenerator<Frame, void> {
  const reader = body.getReader()
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
  const parser = new FrameParser()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      silence.broken()
      yield* parser.push(text.decode(value, { stream: true }))
      if (parser.retryMs !== null) opening.hint(parser.retryMs)
    }
  } finally {
    await reader.cancel().catch(() => undefined) // it may have failed already
  }
}

/** Ends a connection that nothing comes from, or that nobody wants any more. */
class Silence {
  private readonly controller = new AbortController()
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly outer: AbortSignal) {
    if (outer.aborted) this.stop()
    outer.addEventListener('abort', this.stop)
    this.broken()
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  broken(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(this.stop, silenceMs)
  }

  end(): void {
    clearTimeout(this.timer)
    this.outer.removeEventListener('abort', this.stop)
  }

  private readonly stop = () => {
    this.controller.abort()
  }
}
