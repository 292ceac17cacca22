import type { Migration } from '../migrate.ts'

/** Roles that an embed session was made with: a list of `{ roleId, builtIn }`, one of the two null, as users hold them. */
const statements = `
alter table embed_sessions add column roles jsonb not null default '[]';
`

export const sessionRoles: Migration = { name: '0018-session-roles', sql: statements }
