import type { Migration } from '../migrate.ts'

/**
 * Runs of the transformation sync: the job, its history, log and result in one row. `project` is what is left to convert of an uploaded
 * manifest; `lease_until` is how long the node that works on it may be taken for alive.
 */
const statements = `
create table sync_jobs (
  ordinal bigint generated always as identity primary key,
  id text not null unique,
  account_id bigint not null,
  deployment_id bigint not null,
  user_id bigint,
  actor text not null,
  author_name text not null,
  author_email text not null,
  trigger text not null,
  source text not null check (source in ('git', 'manifest')),
  output text not null check (output in ('branch', 'files')),
  branch_name text not null,
  git_ref text,
  project jsonb,
  status text not null check (status in ('RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  stage text not null,
  message text,
  error text,
  failed_phase text,
  phases jsonb not null default '[]',
  log jsonb not null default '[]',
  stats jsonb,
  files jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  lease text,
  lease_until timestamptz,
  attempts integer not null default 0,
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);
create index sync_jobs_deployment on sync_jobs (deployment_id, ordinal);
create index sync_jobs_open on sync_jobs (ordinal) where status = 'RUNNING';
create index sync_jobs_files on sync_jobs (completed_at) where output = 'files' and files is not null;
`

export const syncJobs: Migration = { name: '0010-sync-jobs', sql: statements }
