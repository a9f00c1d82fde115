import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    gateway: string
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Builds the gateway once for all tests; GATEWAY_BIN names one that is built already. */
export default function setup(project: TestProject): () => void {
  const dir = mkdtempSync(join(tmpdir(), 'gateway-'))
  let program = process.env['GATEWAY_BIN']
  if (!program) {
    program = join(dir, 'gateway')
    execFileSync('go', ['build', '-o', program, './cmd/gateway'], { cwd: root, stdio: 'inherit' })
  }
  project.provide('gateway', program)
  return () => rmSync(dir, { recursive: true, force: true })
}
