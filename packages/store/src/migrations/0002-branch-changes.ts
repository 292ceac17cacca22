import type { Migration } from '../migrate.ts'

/**
 * Tells every node, when a transaction commits, of which deployments the branches have changed. Nodes that remember what a branch
 * answers from forget it then (packages/platform/src/builds/branch-changes.ts).
 */
export const branchChanges: Migration = {
  name: '0002-branch-changes',
  sql: `
create function notify_branch_changes() returns trigger language plpgsql as $$
begin
  perform pg_notify('hedron_branch_changes', to_jsonb(coalesce(new, old)) ->> tg_argv[0]);
  return null;
end
$$;

create trigger branches_changed after insert or update or delete on branches
  for each row execute function notify_branch_changes('deployment_id');

create trigger deployments_changed after update or delete on deployments
  for each row execute function notify_branch_changes('id');
`,
}
