import { defineConfig } from 'vitest/config'

/** Tests outside the store that work on a real PostgreSQL or MariaDB. */
const onDatabase = [
  'packages/platform/test/{branches,files,uploads,builds,people,deployments,queries,chat-stream,chat-evals}/**/*.test.ts',
  'packages/query/test/drivers/{postgres,mysql,redshift}/*.test.ts',
  // Compares the catalogs with PostgreSQL's own.
  'packages/sql/test/catalog/oracle/**/*.test.ts',
  // Compares the semantic engine with the field's compiler.
  'packages/semantic/test/oracle/**/*.test.ts',
  // Compares the SQL API with PostgreSQL itself.
  'packages/sql/test/oracle/**/*.test.ts',
]

/** `unit` is fast and needs nothing; `store` needs a PostgreSQL; `acceptance` starts the real platform. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['packages/store/**', ...onDatabase],
          // Far above what any takes: a busy machine must not fail a test.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'store',
          include: ['packages/store/test/**/*.test.ts', ...onDatabase],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'acceptance',
          globalSetup: 'acceptance/support/shared-platform.ts',
          include: ['acceptance/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Pages and builds take their time on a busy machine.
          expect: { poll: { timeout: 20_000, interval: 50 } },
        },
      },
    ],
  },
})
