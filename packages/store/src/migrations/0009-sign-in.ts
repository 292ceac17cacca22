import type { Migration } from '../migrate.ts'

/**
 * Who is signed in to the pages, the codes of the device flow (RFC 8628), what programs are logged in with, one-time links, and how
 * often somebody tried. Of every secret only its SHA-256 digest is kept; what is ended is removed.
 */
const statements = `
create table sign_ins (
  id text primary key,
  account_id bigint not null,
  user_id bigint not null,
  digest bytea not null unique check (octet_length(digest) = 32),
  address text,
  agent text,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index sign_ins_user on sign_ins (user_id);
create index sign_ins_ends on sign_ins (ends_at);

create table logins (
  id text primary key,
  account_id bigint not null,
  user_id bigint not null,
  client_id text not null,
  address text,
  agent text,
  created_at timestamptz not null,
  used_at timestamptz not null,
  ends_at timestamptz not null,
  unique (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index logins_user on logins (user_id);
create index logins_ends on logins (ends_at);

create table login_tokens (
  digest bytea primary key check (octet_length(digest) = 32),
  account_id bigint not null,
  login_id text not null,
  kind text not null check (kind in ('access', 'refresh')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  rotated_at timestamptz,
  rotated_for text,
  check (rotated_at is null or kind = 'refresh'),
  foreign key (account_id, login_id) references logins (account_id, id) on delete cascade
);
create index login_tokens_login on login_tokens (login_id);
create index login_tokens_expires on login_tokens (expires_at);

create table device_codes (
  digest bytea primary key check (octet_length(digest) = 32),
  user_code text not null unique,
  client_id text not null,
  address text,
  agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  account_id bigint,
  user_id bigint,
  decision text check (decision in ('allowed', 'denied')),
  decided_at timestamptz,
  exchanged_at timestamptz,
  exchanged_for text,
  check (num_nulls(account_id, user_id, decision, decided_at) in (0, 4)),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index device_codes_user on device_codes (user_id) where user_id is not null;
create index device_codes_expires on device_codes (expires_at);

create table sign_in_links (
  digest bytea primary key check (octet_length(digest) = 32),
  account_id bigint not null,
  user_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index sign_in_links_user on sign_in_links (user_id);
create index sign_in_links_expires on sign_in_links (expires_at);

create table attempts (
  digest bytea primary key check (octet_length(digest) = 32),
  level double precision not null,
  at timestamptz not null,
  forget_at timestamptz not null
);
create index attempts_forget on attempts (forget_at);
`

export const signIn: Migration = { name: '0009-sign-in', sql: statements }
