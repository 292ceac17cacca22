import type { Migration } from '../migrate.ts'

/**
 * Folders, workbooks, reports, dashboards and who they are shared with. Content of an embed tenant carries its id; null is the
 * account's own workspace. A published dashboard is a row of `dashboard_versions` that is never changed, with the reports as they
 * were then. Times that lists are sorted by have milliseconds, as cursors do.
 */
const statements = `
create table folders (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  embed_tenant_id bigint,
  parent_id bigint,
  name text not null,
  position integer not null default 0,
  user_id bigint,
  updated_by bigint,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (account_id, id),
  unique (account_id, deployment_id, id),
  unique nulls not distinct (deployment_id, embed_tenant_id, parent_id, name),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade,
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade,
  foreign key (account_id, deployment_id, parent_id) references folders (account_id, deployment_id, id),
  foreign key (user_id) references users on delete set null,
  foreign key (updated_by) references users on delete set null
);
create index folders_parent on folders (parent_id);
create index folders_user on folders (user_id);
create index folders_embed_tenant on folders (embed_tenant_id) where embed_tenant_id is not null;

create table workbooks (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  embed_tenant_id bigint,
  folder_id bigint,
  name text not null,
  slug text,
  meta jsonb not null default '{}',
  user_id bigint,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (account_id, id),
  unique (account_id, deployment_id, id),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade,
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade,
  foreign key (account_id, deployment_id, folder_id) references folders (account_id, deployment_id, id)
    on delete set null (folder_id),
  foreign key (user_id) references users on delete set null
);
create unique index workbooks_slug on workbooks (deployment_id, embed_tenant_id, slug) nulls not distinct
  where slug is not null;
create index workbooks_place on workbooks (deployment_id, embed_tenant_id, folder_id, updated_at, id);
create index workbooks_created on workbooks (deployment_id, embed_tenant_id, folder_id, created_at, id);
create index workbooks_named on workbooks (deployment_id, embed_tenant_id, folder_id, lower(name), id);
create index workbooks_folder on workbooks (folder_id);
create index workbooks_user on workbooks (user_id);
create index workbooks_embed_tenant on workbooks (embed_tenant_id) where embed_tenant_id is not null;

create table reports (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  embed_tenant_id bigint,
  folder_id bigint,
  workbook_id bigint,
  public_id text not null,
  name text not null,
  title text,
  description text,
  json_query text,
  sql_query text,
  pivot_items jsonb,
  meta jsonb,
  source text,
  external_workbook_id text,
  result_location text,
  end_result_cell text,
  placements jsonb not null default '[]',
  version integer not null default 1,
  user_id bigint,
  refreshed_by bigint,
  refreshed_at timestamptz,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (account_id, id),
  unique (account_id, public_id),
  foreign key (account_id, deployment_id) references deployments (account_id, id) on delete cascade,
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade,
  foreign key (account_id, deployment_id, folder_id) references folders (account_id, deployment_id, id)
    on delete set null (folder_id),
  foreign key (account_id, deployment_id, workbook_id) references workbooks (account_id, deployment_id, id)
    on delete cascade,
  foreign key (user_id) references users on delete set null,
  foreign key (refreshed_by) references users on delete set null
);
create index reports_place on reports (deployment_id, embed_tenant_id, folder_id, updated_at, id)
  where workbook_id is null;
create index reports_created on reports (deployment_id, embed_tenant_id, folder_id, created_at, id)
  where workbook_id is null;
create index reports_named on reports (deployment_id, embed_tenant_id, folder_id, lower(name), id)
  where workbook_id is null;
create index reports_recent on reports (deployment_id, updated_at, id) where embed_tenant_id is null;
create index reports_folder on reports (folder_id);
create index reports_workbook on reports (workbook_id);
create index reports_user on reports (user_id);
create index reports_placements on reports using gin (placements jsonb_path_ops);
create index reports_embed_tenant on reports (embed_tenant_id) where embed_tenant_id is not null;

create table dashboards (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deployment_id bigint not null,
  workbook_id bigint not null unique,
  public_id text not null,
  allow_embed boolean not null default false,
  status text not null default 'draft' check (status in ('draft', 'published', 'archived')),
  current_version_id bigint,
  ai_threads jsonb not null default '{}',
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, id),
  unique (account_id, public_id),
  foreign key (account_id, deployment_id, workbook_id) references workbooks (account_id, deployment_id, id)
    on delete cascade,
  foreign key (created_by) references users on delete set null
);

create table dashboard_versions (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  dashboard_id bigint not null,
  number integer not null,
  title text,
  description text,
  config jsonb not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  unique (account_id, id),
  unique (dashboard_id, number),
  foreign key (account_id, dashboard_id) references dashboards (account_id, id) on delete cascade,
  foreign key (created_by) references users on delete set null
);
alter table dashboards
  add constraint dashboards_current_version foreign key (account_id, current_version_id)
    references dashboard_versions (account_id, id) deferrable initially deferred;

create table report_snapshots (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  dashboard_version_id bigint not null,
  report_id bigint not null,
  version_number integer not null,
  content jsonb not null,
  unique (account_id, id),
  unique (dashboard_version_id, report_id),
  foreign key (account_id, dashboard_version_id) references dashboard_versions (account_id, id) on delete cascade
);

create table resource_policies (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  resource_type text not null check (resource_type in ('Folder', 'Workbook', 'Report')),
  resource_id bigint not null,
  user_id bigint,
  group_id bigint,
  embed_group_id bigint,
  level text not null check (level in ('read', 'edit', 'manage')),
  created_at timestamptz not null default now(),
  check (num_nonnulls(user_id, group_id, embed_group_id) = 1),
  unique nulls not distinct (resource_type, resource_id, user_id, group_id, embed_group_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade,
  foreign key (account_id, group_id) references user_groups (account_id, id) on delete cascade,
  foreign key (account_id, embed_group_id) references embed_user_groups (account_id, id) on delete cascade
);
create index resource_policies_user on resource_policies (user_id) where user_id is not null;
create index resource_policies_group on resource_policies (group_id) where group_id is not null;
create index resource_policies_embed_group on resource_policies (embed_group_id) where embed_group_id is not null;

create table dashboard_comments (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  dashboard_id bigint not null,
  embed_tenant_id bigint not null,
  parent_id bigint references dashboard_comments on delete cascade,
  user_id bigint,
  body text not null,
  edited_at timestamptz,
  removed_at timestamptz,
  resolved_at timestamptz,
  resolved_by bigint,
  created_at timestamptz not null default now(),
  unique (account_id, id),
  foreign key (account_id, dashboard_id) references dashboards (account_id, id) on delete cascade,
  foreign key (account_id, embed_tenant_id) references embed_tenants (account_id, id) on delete cascade,
  foreign key (user_id) references users on delete set null,
  foreign key (resolved_by) references users on delete set null
);
create index dashboard_comments_threads on dashboard_comments (dashboard_id, embed_tenant_id, id) where parent_id is null;
create index dashboard_comments_replies on dashboard_comments (parent_id) where parent_id is not null;

create index dashboard_comments_embed_tenant on dashboard_comments (embed_tenant_id);

-- Foreign keys to users: the removal of a user must not read all of these tables.
create index folders_updated_by on folders (updated_by) where updated_by is not null;
create index reports_refreshed_by on reports (refreshed_by) where refreshed_by is not null;
create index dashboards_created_by on dashboards (created_by) where created_by is not null;
create index dashboard_versions_created_by on dashboard_versions (created_by) where created_by is not null;
create index dashboard_comments_user on dashboard_comments (user_id) where user_id is not null;
create index dashboard_comments_resolved_by on dashboard_comments (resolved_by) where resolved_by is not null;

create table content_views (
  account_id bigint not null,
  user_id bigint not null,
  resource_type text not null check (resource_type in ('Workbook', 'Report')),
  resource_id bigint not null,
  viewed_at timestamptz not null,
  primary key (user_id, resource_type, resource_id),
  foreign key (account_id, user_id) references users (account_id, id) on delete cascade
);

create function forget_content() returns trigger language plpgsql as $$
begin
  delete from resource_policies where resource_type = tg_argv[0] and resource_id = old.id;
  delete from content_views where resource_type = tg_argv[0] and resource_id = old.id;
  return old;
end $$;
create trigger folders_forget after delete on folders for each row execute function forget_content('Folder');
create trigger workbooks_forget after delete on workbooks for each row execute function forget_content('Workbook');
create trigger reports_forget after delete on reports for each row execute function forget_content('Report');
`

export const content: Migration = { name: '0006-content', sql: statements }
