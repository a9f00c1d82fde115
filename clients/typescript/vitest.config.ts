import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@session-gateway/client': new URL('src/index.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Its preflights name headers that a browser's don't, and so are refused.
    environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
    globalSetup: './test/build.ts',
    testTimeout: 300_000, // a machine that is busy with the builds of others
    hookTimeout: 300_000,
  },
})
