import type { Migration } from '../migrate.ts'

/** What is looked up for each row that goes with a large embed tenant: a user's memories, and whose version a version is. */
const statements = `
create index agent_memories_user on agent_memories (user_id);
create index dashboards_current_version on dashboards (current_version_id) where current_version_id is not null;
`

export const deletionIndexes: Migration = { name: '0022-deletion-indexes', sql: statements }
