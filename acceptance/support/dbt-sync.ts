import { type Api, eventually } from './api.ts'
import { connect } from './contract-client.ts'

/** A dbt manifest of five models without columns, of each of which a cube becomes. */
const manifest = {
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
  nodes: Object.fromEntries(
    ['customers', 'items', 'orders', 'products', 'shops'].map(name => [
      `model.shop.${name}`,
      { resource_type: 'model', unique_id: `model.shop.${name}`, name },
    ]),
  ),
}

/** Syncs a project into files. @returns id of the sync, when it has ended */
export async function prepareDbtSync(admin: Api, deploymentId: number): Promise<string> {
  const client = connect(admin)
  const params = { deploymentId }
  const { syncJobId } = await client.startDbtSync({ params, body: { source: 'manifest', output: 'files', manifest } })
  await eventually(
    () => client.getDbtSyncStatus({ params: { deploymentId, syncJobId } }),
    ({ status }) => status === 'COMPLETED',
    30_000,
  )
  return syncJobId
}
