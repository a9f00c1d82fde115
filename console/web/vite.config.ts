import preact from '@preact/preset-vite'
import { defineConfig } from 'vitest/config'

// What a test waits for has so long: far over what it takes, for the sake of
// machines that are busy with the builds of others.
const patience = 60_000

// Where `npm run dev` finds a gateway; the built pages talk to their own origin.
const gateway = process.env.GATEWAY ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/console/',
  plugins: [preact()],
  server: { proxy: { '/v1': { target: gateway } } },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0, // the policy forbids data: addresses
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/console-[hash].js',
        chunkFileNames: 'assets/part-[hash].js',
        assetFileNames: 'assets/console-[hash][extname]',
      },
    },
  },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts', 'test/**/*.test.tsx'], testTimeout: patience } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          fileParallelism: false,
          expect: { poll: { timeout: patience } },
          testTimeout: 5 * patience,
          hookTimeout: 5 * patience,
        },
      },
    ],
  },
})
