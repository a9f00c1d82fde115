import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: './test/build.ts',
    testTimeout: 30_000, // a machine that is busy with the builds of others
    hookTimeout: 30_000,
  },
})
