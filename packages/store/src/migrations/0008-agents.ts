import type { Migration } from '../migrate.ts'

/**
 * Agents of deployments, what their branches' files said of them last, and evaluations. The agent `auto` is there from a
 * deployment's creation; the others come and go with the files of the deploy branch.
 */
const statements = `
create table agents (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  name text not null,
  space text not null default 'auto',
  is_configured boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (deployment_id, name),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);
insert into agents (account_id, deployment_id, name) select account_id, id, 'auto' from deployments;

create table agent_files (
  account_id bigint not null,
  deployment_id bigint not null,
  branch_id bigint primary key,
  tree bytea not null check (octet_length(tree) = 20),
  good_tree bytea check (octet_length(good_tree) = 20),
  problem text,
  foreign key (account_id, deployment_id, branch_id) references branches (account_id, deployment_id, id)
    on delete cascade
);

create table eval_runs (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  branch_name text not null,
  agent_name text not null,
  question_file text,
  user_id bigint,
  credential text not null,
  asker_name text not null,
  asker_email text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  error_text text,
  attempts integer not null default 0,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (account_id, id),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade,
  foreign key (user_id) references users on delete set null
);
create index eval_runs_open on eval_runs (id) where status in ('queued', 'running');
create unique index eval_runs_running on eval_runs (deployment_id, branch_name, agent_name) where status = 'running';
create index eval_runs_deployment on eval_runs (deployment_id);
create index eval_runs_user on eval_runs (user_id);

create table eval_results (
  account_id bigint not null,
  run_id bigint not null,
  position integer not null,
  name text not null,
  question text not null,
  truth jsonb not null,
  verdict text check (verdict in ('pass', 'fail', 'review', 'error')),
  reason text,
  detail text,
  agent_sql text,
  truth_sql text,
  answer text,
  finished_at timestamptz,
  primary key (run_id, position),
  foreign key (account_id, run_id) references eval_runs (account_id, id) on delete cascade
);
`

export const agents: Migration = { name: '0008-agents', sql: statements }
