import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const budget = 10_000

/** Measures what a page loads that has these imports, openapi-fetch included. */
async function gzipped(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: new URL('.', import.meta.url).pathname },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  })
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length
}

test('all of it is under 10 kB gzipped', async () => {
  const all = await gzipped("export * from '../src/index.js'")
  console.log(`everything: ${all} bytes gzipped`)
  expect(all).toBeLessThan(budget)
})

test('a page loads only what it imports', async () => {
  const reader = await gzipped("import { sessionEvents } from '../src/index.js'; console.log(sessionEvents)")
  console.log(`sessionEvents alone: ${reader} bytes gzipped`)
  expect(reader).toBeLessThan(budget / 2)
  expect(await gzipped("import '../src/index.js'")).toBeLessThan(100)
})
