import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * The first tables. Every row of a tenant carries `account_id`, and the foreign keys go through (account_id, id), so that a row
 * can never point into another account.
 */
const statements = `
create table accounts (
  id bigint generated always as identity primary key,
  name text not null unique,
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  email text not null,
  username text not null,
  first_name text,
  picture text,
  title text,
  external_id text,
  is_admin boolean not null default false,
  is_deactivated boolean not null default false,
  password_hash text,
  settings jsonb,
  notifications jsonb not null default '{}',
  policies jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_login_at timestamptz,
  unique (account_id, id)
);
create unique index users_email on users (account_id, lower(email));
create unique index users_username on users (account_id, lower(username));

create table api_keys (
  id text primary key,
  account_id bigint not null references accounts on delete cascade,
  created_by_user_id bigint,
  name text not null,
  digest bytea not null unique check (octet_length(digest) = 32),
  prefix text not null,
  deployment_ids bigint[],
  policies jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  foreign key (account_id, created_by_user_id) references users (account_id, id)
);
create index api_keys_account on api_keys (account_id, created_at, id);

create table deployments (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  name text not null,
  creation_step text not null,
  creation_method text,
  deploy_mode text not null,
  cloud_provider text not null,
  region text not null,
  target_platform text not null,
  is_managed boolean not null,
  template text not null default 'single',
  template_variables jsonb not null default '{}',
  release_channel text not null default 'latest',
  release_channel_version text not null,
  release_channel_version_hold boolean not null default false,
  deploy_branch_id bigint,
  deploy_branch_read_only boolean not null default false,
  deploy_branch_merge_allowed boolean not null default true,
  deploy_project_root text not null default '/',
  custom_domain text,
  default_launchpad_view_group text,
  launchpad_tabs jsonb,
  csps_config jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (account_id, name)
);

create table variables (
  account_id bigint not null,
  deployment_id bigint not null,
  name text not null,
  sealed bytea not null,
  updated_at timestamptz not null default now(),
  primary key (deployment_id, name),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);

create table branches (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  name text not null,
  kind text not null check (kind in ('shared', 'dev')),
  parent_id bigint references branches on delete set null,
  head bytea not null check (octet_length(head) = 20),
  working_tree bytea check (octet_length(working_tree) = 20),
  conflict_with bytea check (octet_length(conflict_with) = 20),
  serving_tree bytea check (octet_length(serving_tree) = 20),
  is_staging_enabled boolean not null default false,
  owner_user_id bigint,
  owner_credential text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, deployment_id, id),
  unique (deployment_id, name),
  check (kind = 'dev' or working_tree is null),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);
create index branches_parent on branches (parent_id);
create index branches_dev_owner on branches (deployment_id, owner_credential, parent_id) where kind = 'dev';

alter table deployments
  add constraint deployments_deploy_branch foreign key (deploy_branch_id) references branches
  deferrable initially deferred;

create table dev_sessions (
  account_id bigint not null,
  deployment_id bigint not null,
  credential text not null,
  user_id bigint,
  branch_id bigint not null,
  started_at timestamptz not null default now(),
  primary key (deployment_id, credential),
  foreign key (account_id, deployment_id, branch_id) references branches (account_id, deployment_id, id) on delete cascade
);
create index dev_sessions_branch on dev_sessions (branch_id);

create table git_objects (
  account_id bigint not null,
  deployment_id bigint not null,
  id bytea not null check (octet_length(id) = 20),
  type text not null check (type in ('blob', 'tree', 'commit')),
  content bytea not null,
  sha1 bytea check (octet_length(sha1) = 20),
  primary key (deployment_id, id),
  check ((type = 'blob') = (sha1 is not null)),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);

create table uploads (
  id text primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  branch_id bigint not null,
  credential text not null,
  uses_project_root boolean not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  tree bytea check (octet_length(tree) = 20),
  unique (account_id, id),
  check ((finished_at is null) = (tree is null)),
  foreign key (account_id, deployment_id, branch_id) references branches (account_id, deployment_id, id) on delete cascade
);
create index uploads_branch on uploads (branch_id);

create table upload_files (
  account_id bigint not null,
  upload_id text not null,
  path text not null,
  blob bytea not null check (octet_length(blob) = 20),
  size bigint not null,
  primary key (upload_id, path),
  foreign key (account_id, upload_id) references uploads (account_id, id) on delete cascade
);

create table builds (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  branch_id bigint not null,
  tree bytea not null check (octet_length(tree) = 20),
  commit bytea not null check (octet_length(commit) = 20),
  status text not null check (status in ('queued', 'building', 'built', 'failed', 'cancelled')),
  error_text text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (account_id, deployment_id, branch_id) references branches (account_id, deployment_id, id) on delete cascade
);
create index builds_branch on builds (branch_id, id);
create index builds_open on builds (id) where status in ('queued', 'building');

create table compiled_models (
  account_id bigint not null,
  deployment_id bigint not null,
  tree bytea not null check (octet_length(tree) = 20),
  compiler_version text not null,
  cubes_count integer not null,
  problems jsonb not null,
  model text,
  created_at timestamptz not null default now(),
  primary key (deployment_id, tree, compiler_version),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);

create table environment_tokens (
  id text primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  branch_id bigint not null,
  claims jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, deployment_id, branch_id) references branches (account_id, deployment_id, id) on delete cascade
);
create index environment_tokens_branch on environment_tokens (branch_id, created_at, id);

create table audit_log (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  address text,
  request_id text,
  details jsonb not null
);
create index audit_log_account on audit_log (account_id, id);

create table installation (
  name text primary key,
  value jsonb not null
);
`

export const first: Migration = {
  name: '0001-first',
  async up(transaction) {
    await sql.raw(statements).execute(transaction)
  },
}
