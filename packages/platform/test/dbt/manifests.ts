interface ModelParts {
  readonly columns?: Readonly<
    Record<string, { readonly type?: string; readonly description?: string; readonly constraints?: readonly object[] }>
  >
  readonly constraints?: readonly object[]
  readonly config?: object
  readonly more?: object
}

/** A manifest of dbt 1.8 with models of these names. */
export function manifestOf(
  models: Readonly<Record<string, ModelParts>>,
  { tests = [], adapter = 'postgres' }: { readonly tests?: readonly object[]; readonly adapter?: string } = {},
) {
  const nodes = Object.entries(models).map(([name, { columns = {}, constraints = [], config = {}, more = {} }]) => [
    `model.shop.${name}`,
    {
      resource_type: 'model',
      unique_id: `model.shop.${name}`,
      package_name: 'shop',
      name,
      alias: name,
      database: 'db',
      schema: 'analytics',
      original_file_path: `models/${name}.sql`,
      columns: Object.fromEntries(
        Object.entries(columns).map(([column, { type, ...rest }]) => [
          column,
          { name: column, data_type: type, ...rest },
        ]),
      ),
      constraints,
      config,
      ...more,
    },
  ])
  return {
    metadata: {
      dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json',
      project_name: 'shop',
      adapter_type: adapter,
      dbt_version: '1.8.0',
    },
    nodes: Object.fromEntries([...nodes, ...tests.map((test, index) => [`test.shop.${index}`, test])]),
    sources: {},
    macros: {},
  }
}

/** A generic test of a column of a model. */
export const columnTest = (model: string, column: string, name: string, more: object = {}) => ({
  resource_type: 'test',
  attached_node: `model.shop.${model}`,
  column_name: column,
  test_metadata: { name, namespace: null, kwargs: { column_name: column } },
  config: { severity: 'ERROR', where: null, limit: null, warn_if: '!= 0', error_if: '!= 0' },
  ...more,
})

/** A test that a column refers to another model's. */
export const relationship = (model: string, column: string, to: string, field: string) =>
  columnTest(model, column, 'relationships', {
    test_metadata: {
      name: 'relationships',
      namespace: null,
      kwargs: { column_name: column, to: `ref('${to}')`, field },
    },
  })
