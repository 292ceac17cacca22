import type { Migration } from '../migrate.ts'

/**
 * Lists of all reports of a deployment by name and by age are read along an index, so that the last page of many costs what the first
 * does. Those of an embed tenant are few enough to be sorted.
 */
const statements = `
create index reports_created_anywhere on reports (deployment_id, created_at, id) where embed_tenant_id is null;
create index reports_named_anywhere on reports (deployment_id, name, id) where embed_tenant_id is null;
`

export const reportLists: Migration = { name: '0012-report-lists', sql: statements }
