import { expect, test } from 'vitest'
import { FrameParser, type Frame } from '../src/sse.js'

const text = [
  '\uFEFFretry: 1500\n',
  ': heartbeat\n\n',
  'id: 1-aa\r\nevent: a.b\r\ndata: {"x":"é"}\r\n\r\n',
  'id: 2-bb\r\r',
  'event: c\ndata:one\ndata: two\nunknown: y\n\n',
  'id: 3-cc\nevent: unfinished\ndata: z\n',
].join('')

const frames: Frame[] = [
  { id: '1-aa', event: 'a.b', data: '{"x":"é"}' },
  { id: '2-bb', event: '', data: '' },
  { id: null, event: 'c', data: 'one\ntwo' },
]

test('frames are the same wherever the text is cut', () => {
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second += 7) {
      const parser = new FrameParser()
      const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)]
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(frames)
      expect(parser.retryMs).toBe(1500)
    }
  }
})

test('a frame without end is not collected forever', () => {
  const parser = new FrameParser()
  const piece = 'x'.repeat(1 << 20)
  expect(() => {
    for (let i = 0; i < 65; i++) parser.push(piece)
  }).toThrowError('too long')
})

test('a line that comes in many pieces costs no more than its length', () => {
  const parser = new FrameParser()
  parser.push('data: ')
  for (let i = 0; i < 100_000; i++) parser.push('0123456789')
  expect(parser.push('\n\n')[0]?.data).toHaveLength(1_000_000)
})
