import type { Migration } from '../migrate.ts'

/**
 * Programs that register themselves (RFC 7591) and log in with authorization codes (RFC 6749 section 4.1), what a login is good for,
 * and which agents embedded pages may ask. Of a code only its SHA-256 digest is kept.
 */
const statements = `
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris jsonb not null,
  address text,
  created_at timestamptz not null,
  used_at timestamptz
);
create index oauth_clients_used on oauth_clients (used_at, created_at);

create table authorization_codes (
  digest bytea primary key check (octet_length(digest) = 32),
  client_id text not null,
  account_id bigint not null,
  user_id bigint not null,
  redirect_uri text not null,
  challenge text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  login_id text,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index authorization_codes_user on authorization_codes (user_id);
create index authorization_codes_expires on authorization_codes (expires_at);

alter table logins add column scope text not null default 'all' check (scope in ('all', 'mcp-agent-access'));
alter table logins add column client_name text;

alter table agents add column allow_embedding boolean not null default true;
create trigger agents_changed after update or delete on agents
  for each row execute function notify_branch_changes('deployment_id');
`

export const assistants: Migration = { name: '0015-assistants', sql: statements }
