import type { Migration } from '../migrate.ts'

/** Until when a table of a rollup has rows, so that newer ones can be read from elsewhere. */
export const rollupSteps: Migration = {
  name: '0011-rollup-steps',
  sql: 'alter table rollup_tables add column last_step text',
}
