import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const file = (name: string) => new URL(`../${name}`, import.meta.url)

test('the lock names no registry', () => {
  expect(readFileSync(file('package-lock.json'), 'utf8')).not.toContain('"resolved": "http')
})

test('what the package exports is built', () => {
  const { exports } = JSON.parse(readFileSync(file('package.json'), 'utf8')) as { exports: Record<string, { types: string; default: string }> }
  for (const target of Object.values(exports['.']!)) expect(existsSync(file(target)), target).toBe(true)
})
