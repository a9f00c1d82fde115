import { computed, signal } from '@preact/signals'

/** The time on this machine, to the second. */
export const here = signal(Date.now())

setInterval(() => {
  here.value = Date.now()
}, 1000)

/** How far the gateway's clock is ahead of this machine's. */
const ahead = signal(0)

/** A date in a header is cut to the second, and was on its way: less than this is no difference. */
const exactMs = 2000

/** Learns the gateway's time from an answer's `Date`. */
export function learnTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(difference)) ahead.value = Math.abs(difference) < exactMs ? 0 : difference
}

/** The gateway's time, to the second: what is asked and expires goes by it. */
export const now = computed(() => here.value + ahead.value)

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
