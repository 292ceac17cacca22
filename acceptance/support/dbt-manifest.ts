/** A manifest of dbt with models without columns, of each of which a cube becomes. */
export const manifestOf = (names: readonly string[]) => ({
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
  nodes: Object.fromEntries(
    names.map(name => [`model.shop.${name}`, { resource_type: 'model', unique_id: `model.shop.${name}`, name }]),
  ),
})
