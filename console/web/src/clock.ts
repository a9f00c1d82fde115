import { signal } from '@preact/signals'

/** The time, to the second. */
export const now = signal(Date.now())

setInterval(() => {
  now.value = Date.now()
}, 1000)

const units: [number, string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
]

/** A span in its largest unit: 45 s, 12 min, 3 h, 2 d. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  for (const [size, name] of units) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${name}`
  }
  return `${seconds} s`
}

/** How long ago something was. */
export function ago(time: string): string {
  const ms = now.value - Date.parse(time)
  return ms < 2000 ? 'just now' : `${span(ms)} ago`
}

/** What is left, as a countdown: 1:05:09, 4:07. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
