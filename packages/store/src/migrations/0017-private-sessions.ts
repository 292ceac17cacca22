import type { Migration } from '../migrate.ts'

/** Embed sessions of people who are signed in with a browser end when that sign-in does. */
const statements = `
alter table embed_sessions add column sign_in_id text references sign_ins (id) on delete cascade;
create index embed_sessions_sign_in on embed_sessions (sign_in_id) where sign_in_id is not null;
`

export const privateSessions: Migration = { name: '0017-private-sessions', sql: statements }
