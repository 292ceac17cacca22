import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test-order.ts'

/** Tests outside the store that work on a real PostgreSQL, MariaDB or Redis. */
const onDatabase = [
  'packages/platform/test/{branches,files,uploads,builds,people,deployments,queries,chat-stream,chat-evals,rollup-keeper,chat-memories,embedding}/**/*.test.ts',
  'packages/query/test/drivers/{postgres,mysql,redshift}/*.test.ts',
  'packages/query/test/shared-results/redis-results.test.ts',
  // Compares the catalogs with PostgreSQL's own.
  'packages/sql/test/catalog/oracle/**/*.test.ts',
  // Compares the semantic engine with the field's compiler.
  'packages/semantic/test/oracle/**/*.test.ts',
  // Compares the SQL API with PostgreSQL itself.
  'packages/sql/test/oracle/**/*.test.ts',
]

/** A file of tests for each core; vitest would leave one of them idle, which of two is half. */
const cores = availableParallelism()

/** `unit` is fast and needs nothing; `store` needs a PostgreSQL; `acceptance` starts the real platform. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: ['packages/store/**', ...onDatabase],
          maxWorkers: cores,
          sequence: { groupOrder: 0 },
          // Far above what any takes: a busy machine must not fail a test.
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'store',
          include: ['packages/store/test/**/*.test.ts', ...onDatabase],
          maxWorkers: cores,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'acceptance',
          globalSetup: 'acceptance/support/shared-platform.ts',
          include: ['acceptance/**/*.test.ts'],
          // They wait for the platform more than they compute.
          maxWorkers: Math.max(3, cores),
          sequence: { groupOrder: 2 },
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Pages and builds take their time on a busy machine.
          expect: { poll: { timeout: 20_000, interval: 50 } },
        },
      },
    ],
  },
})
