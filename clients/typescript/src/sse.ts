/** One frame of a stream: `event` is empty where the frame only moves the cursor. */
export interface Frame {
  /** The cursor behind the frame; null where the frame has none. */
  id: string | null
  event: string
  data: string
}

/**
 * The longest frame that is taken, in characters: a plan of 256 KiB, escaped,
 * with room to spare. What is longer does not come from a gateway.
 */
const maxFrame = 64 << 20

/** Reads server-sent events out of pieces of text, wherever they are cut. */
export class FrameParser {
  /** The gateway's last hint when to come back. */
  retryMs: number | null = null

  private pieces: string[] = [] // of a line that has not ended
  private size = 0 // of the frame so far
  private lastWasReturn = false
  private first = true
  private frame: Frame = blank()
  private data: string[] = []

  /** Takes a piece; gives the frames that it completes. */
  push(text: string): Frame[] {
    if (text === '') return []
    if (this.first && text.startsWith('\uFEFF')) text = text.slice(1)
    this.first = false
    if (this.lastWasReturn && text.startsWith('\n')) text = text.slice(1)
    this.lastWasReturn = text.endsWith('\r')
    const lines = text.split(/\r\n|\r|\n/)
    const rest = lines.pop() ?? ''
    const frames: Frame[] = []
    for (const line of lines) {
      this.grow(line.length)
      const frame = this.line(this.whole(line))
      if (frame) frames.push(frame)
    }
    this.keep(rest)
    return frames
  }

  private whole(end: string): string {
    if (this.pieces.length === 0) return end
    const line = this.pieces.join('') + end
    this.pieces = []
    return line
  }

  private keep(piece: string): void {
    if (piece === '') return
    this.grow(piece.length)
    this.pieces.push(piece)
  }

  private grow(chars: number): void {
    this.size += chars
    if (this.size > maxFrame) throw new Error('a frame of the stream is too long')
  }

  /** Takes a line; the empty one ends a frame. */
  private line(line: string): Frame | null {
    if (line === '') return this.end()
    const colon = line.indexOf(':')
    if (colon === 0) return null // a comment
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    this.set(field, value)
    return null
  }

  private set(field: string, value: string): void {
    switch (field) {
      case 'id':
        if (!value.includes('\0')) this.frame.id = value
        break
      case 'event':
        this.frame.event = value
        break
      case 'data':
        this.data.push(value)
        break
      case 'retry':
        if (/^\d+$/.test(value)) this.retryMs = Number(value)
    }
  }

  private end(): Frame | null {
    const frame = { ...this.frame, data: this.data.join('\n') }
    this.frame = blank()
    this.data = []
    this.size = 0
    return frame.id !== null || frame.event !== '' || frame.data !== '' ? frame : null
  }
}

function blank(): Frame {
  return { id: null, event: '', data: '' }
}
