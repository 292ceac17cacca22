import type { Migration } from '../migrate.ts'

/** What a model's author should know though it compiles. The version before writes none and reads none. */
export const modelWarnings: Migration = {
  name: '0003-model-warnings',
  sql: "alter table compiled_models add column warnings jsonb not null default '[]'",
}
