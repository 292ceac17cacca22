import { defineConfig } from 'vitest/config'

/** `unit` is fast and needs nothing; `store` needs a PostgreSQL; `acceptance` starts the real platform. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/*/test/**/*.test.ts'], exclude: ['packages/store/**'] } },
      { test: { name: 'store', include: ['packages/store/test/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 } },
      {
        test: {
          name: 'acceptance',
          include: ['acceptance/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
