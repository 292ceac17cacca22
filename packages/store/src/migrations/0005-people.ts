import type { Migration } from '../migrate.ts'

/**
 * External users, embed tenants, groups, roles, user attributes and embed sessions (SPEC, "External user" to "Embed tenant"). What
 * belongs to one embed tenant lies in tables of its own, apart from what the whole account shares. Ids of groups are of one
 * sequence, so that an id alone names a group of either kind.
 *
 * Two e-mail addresses or user names may be equal once one of them is an external user's: those are known by their external id,
 * within their embed tenant.
 */
const statements = `
create table embed_tenants (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  name text collate "C" not null,
  display_name text,
  created_at timestamptz not null default now(),
  unique (account_id, id),
  unique (account_id, name)
);

alter table users
  alter column email drop not null,
  add column embed_tenant_id bigint,
  add column is_ephemeral boolean not null default false,
  add column expires_at timestamptz,
  add column tos_accepted jsonb,
  add foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade;
drop index users_email;
drop index users_username;
create unique index users_email on users (account_id, lower(email)) where external_id is null;
create unique index users_username on users (account_id, lower(username)) where external_id is null;
create unique index users_external on users (account_id, external_id, embed_tenant_id) nulls not distinct
  where external_id is not null;
create index users_embed_tenant on users (embed_tenant_id, (username collate "C"), id) where embed_tenant_id is not null;
create index users_embed_tenant_email
  on users (embed_tenant_id, (coalesce(email, external_id || '@embed-user.invalid') collate "C"), id)
  where embed_tenant_id is not null;
-- Foreign keys to users: the removal of a user must not read all of these tables.
create index api_keys_created_by on api_keys (created_by_user_id) where created_by_user_id is not null;
create index users_expiring on users (expires_at) where expires_at is not null;

create table user_groups (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  kind text not null default 'custom' check (kind in ('custom', 'all_embed_users', 'embed_tenant')),
  embed_tenant_id bigint,
  name text not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (account_id, name),
  check ((kind = 'embed_tenant') = (embed_tenant_id is not null)),
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade
);
create unique index user_groups_all_embed_users on user_groups (account_id) where kind = 'all_embed_users';
create unique index user_groups_embed_tenant on user_groups (embed_tenant_id) where embed_tenant_id is not null;

create table user_group_members (
  account_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  added_at timestamptz not null default now(),
  primary key (group_id, user_id),
  foreign key (account_id, group_id) references user_groups (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index user_group_members_user on user_group_members (user_id);

create table roles (
  id bigint generated always as identity (start with 1001) primary key,
  account_id bigint not null references accounts on delete cascade,
  name text not null,
  description text,
  policies jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (account_id, name)
);

create table user_roles (
  account_id bigint not null,
  user_id bigint not null,
  role_id bigint,
  built_in text,
  assigned_at timestamptz not null default now(),
  check (num_nonnulls(role_id, built_in) = 1),
  unique nulls not distinct (user_id, role_id, built_in),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, role_id) references roles (account_id, id) on delete cascade
);
create index user_roles_role on user_roles (role_id) where role_id is not null;

create table group_roles (
  account_id bigint not null,
  group_id bigint not null,
  role_id bigint,
  built_in text,
  assigned_at timestamptz not null default now(),
  check (num_nonnulls(role_id, built_in) = 1),
  unique nulls not distinct (group_id, role_id, built_in),
  foreign key (account_id, group_id) references user_groups (account_id, id) on delete cascade,
  foreign key (account_id, role_id) references roles (account_id, id) on delete cascade
);
create index group_roles_role on group_roles (role_id) where role_id is not null;

create table user_attributes (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  name text not null,
  type text not null check (type in ('string', 'number', 'boolean', 'string_array', 'number_array')),
  display_name text,
  description text,
  default_value text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (account_id, name)
);

create table user_attribute_values (
  account_id bigint not null,
  user_id bigint not null,
  attribute_id bigint not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, attribute_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, attribute_id) references user_attributes (account_id, id) on delete cascade
);
create index user_attribute_values_attribute on user_attribute_values (attribute_id);

create table embed_user_groups (
  id bigint default nextval('user_groups_id_seq') primary key,
  account_id bigint not null,
  embed_tenant_id bigint not null,
  name text not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (embed_tenant_id, name),
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade
);

create table embed_user_group_members (
  account_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  -- In milliseconds, as cursors hold it.
  added_at timestamptz(3) not null default now(),
  primary key (group_id, user_id),
  foreign key (account_id, group_id) references embed_user_groups (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);
create index embed_user_group_members_added on embed_user_group_members (group_id, added_at, user_id);
create index embed_user_group_members_user on embed_user_group_members (user_id);

create table embed_user_attributes (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  embed_tenant_id bigint not null,
  name text not null,
  type text not null check (type in ('string', 'number', 'boolean', 'string_array', 'number_array')),
  display_name text,
  description text,
  default_value text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (embed_tenant_id, name),
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade
);

create table embed_user_attribute_values (
  account_id bigint not null,
  user_id bigint not null,
  attribute_id bigint not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, attribute_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, attribute_id) references embed_user_attributes (account_id, id) on delete cascade
);
create index embed_user_attribute_values_attribute on embed_user_attribute_values (attribute_id);

create table embed_secrets (
  id text primary key,
  account_id bigint not null references accounts on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
create unique index embed_secrets_current on embed_secrets (account_id) where retired_at is null;

create table embed_sessions (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  user_id bigint not null,
  embed_tenant_id bigint,
  digest bytea not null unique check (octet_length(digest) = 32),
  is_internal boolean not null,
  creator_mode boolean not null,
  branch_name text,
  public_dashboard_id text,
  security_context jsonb not null default '{}',
  settings jsonb not null default '{}',
  theme jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  ends_at timestamptz,
  revoked_at timestamptz,
  unique (account_id, id),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade,
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade
);
create index embed_sessions_user on embed_sessions (user_id);
create index embed_sessions_deployment on embed_sessions (deployment_id);
create index embed_sessions_embed_tenant on embed_sessions (embed_tenant_id) where embed_tenant_id is not null;
create index embed_sessions_old on embed_sessions (coalesce(ends_at, expires_at));

create table account_settings (
  account_id bigint primary key references accounts on delete cascade,
  settings jsonb not null default '{}',
  updated_at timestamptz not null default now()
);
`

export const people: Migration = { name: '0005-people', sql: statements }
