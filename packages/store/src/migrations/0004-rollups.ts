import type { Migration } from '../migrate.ts'

/**
 * Tables of rollups. The rows of one are in a file of one node, so each node has its own rows here; they tell what the file holds,
 * and keep nodes from building the same at once.
 */
export const rollups: Migration = {
  name: '0004-rollups',
  sql: `
create table rollups (
  account_id bigint not null,
  deployment_id bigint not null,
  definition text not null,
  node text not null,
  name text not null,
  timezone text not null,
  layout jsonb,
  surveyed_at timestamptz,
  used_at timestamptz not null,
  primary key (deployment_id, definition, node),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);
create index rollups_node on rollups (node);

create table rollup_tables (
  account_id bigint not null,
  deployment_id bigint not null,
  definition text not null,
  node text not null,
  partition text not null,
  claimed_at timestamptz,
  file text,
  columns jsonb,
  refresh_value text,
  built_at timestamptz,
  row_count bigint,
  byte_count bigint,
  error_text text,
  failed_at timestamptz,
  primary key (deployment_id, definition, node, partition),
  foreign key (deployment_id, definition, node) references rollups on delete cascade
);

create table rollup_jobs (
  token text primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  definition text not null,
  partition text not null,
  table_name text not null,
  selector jsonb not null,
  requested_at timestamptz not null,
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade
);
create index rollup_jobs_age on rollup_jobs (requested_at);
`,
}
