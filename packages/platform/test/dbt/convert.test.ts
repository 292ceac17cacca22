import { describe, expect, test } from 'vitest'
import { convertProject } from '../../src/dbt/convert.ts'
import { readOptions } from '../../src/dbt/options.ts'
import { readManifest } from '../../src/dbt/read-manifest.ts'
import { columnTest, manifestOf, relationship } from './manifests.ts'

const convert = (manifest: object, variables: Record<string, string> = {}) =>
  convertProject(readManifest(manifest), readOptions(variables))

/** The one file whose name ends so. */
function fileOf(conversion: ReturnType<typeof convert>, name: string): string {
  const found = conversion.files.find(({ path }) => path.endsWith(`/${name}.yml`))
  if (found === undefined) throw new Error(`no ${name} among ${conversion.files.map(({ path }) => path)}`)
  return found.content
}

/** Lines of a section of a cube, without their indentation. */
const linesOf = (content: string) => content.split('\n').map(line => line.trim())

const shop = manifestOf(
  {
    orders: {
      columns: {
        order_id: { type: 'integer' },
        customer_id: { type: 'integer' },
        amount: { type: 'numeric(12, 2)', description: 'What was paid' },
        ordered_at: {},
      },
    },
    customers: { columns: { customer_id: { type: 'integer' }, name: { type: 'text' } } },
  },
  { tests: [relationship('orders', 'customer_id', 'customers', 'customer_id')] },
)

describe('a cube (devmode-deploy 4)', () => {
  test('has name, title, table, every column and the measures', () => {
    const conversion = convert(shop)
    expect(conversion.files.map(({ path }) => path)).toEqual([
      'model/cubes/dbt/dbt_customers.yml',
      'model/cubes/dbt/dbt_orders.yml',
    ])
    const content = fileOf(conversion, 'dbt_orders')
    expect(content).toMatch(/^# Made by Hedron from model\.shop\.orders\./)
    expect(linesOf(content)).toEqual(
      expect.arrayContaining(['- name: dbt_orders', 'title: "(dbt) orders"', 'sql_table: "analytics.orders"']),
    )
    expect(content).toContain(
      '- name: "order_id"\n        sql: "{CUBE}.order_id"\n        type: number\n        primary_key: true',
    )
    expect(content).toContain('- name: "ordered_at"\n        sql: "{CUBE}.ordered_at"\n        type: time')
    expect(content).toContain('description: "What was paid"')
    expect(content).toContain('- name: "count"\n        type: count')
    expect(content).toContain('- name: "total_amount"\n        sql: "{CUBE}.amount"\n        type: sum')
    expect(content.match(/type: sum/g)).toHaveLength(1)
  })

  test('takes prefixes, folder and alias from where they are said', () => {
    const manifest = manifestOf({ orders: { more: { alias: 'sales' } } })
    const conversion = convert(manifest, {
      HEDRON_DBT_OUTPUT_PATH: '/model/warehouse/',
      HEDRON_DBT_NAME_PREFIX: 'wh_',
      HEDRON_DBT_TITLE_PREFIX: '',
    })
    const content = fileOf(conversion, 'wh_orders')
    expect(conversion.files[0]?.path).toBe('model/warehouse/wh_orders.yml')
    expect(content).toContain('title: "sales"')
    expect(content).toContain('sql_table: "analytics.sales"')
  })

  test.each([
    ['postgres', 'analytics.orders'],
    ['duckdb', 'analytics.orders'],
    ['athena', 'analytics.orders'],
    ['clickhouse', 'analytics.orders'],
    ['redshift', 'db.analytics.orders'],
    ['snowflake', 'db.analytics.orders'],
    ['bigquery', 'db.analytics.orders'],
    ['databricks', 'db.analytics.orders'],
  ])('on %s reads %s', (adapter, table) => {
    expect(fileOf(convert(manifestOf({ orders: {} }, { adapter })), 'dbt_orders')).toContain(`sql_table: "${table}"`)
  })

  test.each([
    ['postgres', 'Order ID', '"{CUBE}.\\"Order ID\\""'],
    ['bigquery', 'Order ID', '"{CUBE}.`Order ID`"'],
    ['snowflake', 'ORDER_ID', '"{CUBE}.ORDER_ID"'],
    ['postgres', 'ORDER_ID', '"{CUBE}.\\"ORDER_ID\\""'],
  ])('on %s quotes the column %s as it must', (adapter, name, sql) => {
    const manifest = manifestOf({ orders: { columns: { [name]: { type: 'text' } } } }, { adapter })
    expect(fileOf(convert(manifest), 'dbt_orders')).toContain(`sql: ${sql}`)
  })

  test('leaves out descriptions and default measures where that is asked for', () => {
    const content = fileOf(
      convert(shop, { HEDRON_DBT_DESCRIPTIONS: 'false', HEDRON_DBT_DEFAULT_MEASURES: 'false' }),
      'dbt_orders',
    )
    expect(content).not.toContain('description:')
    expect(content).not.toContain('total_')
  })

  test('braces of a description are text and no template', () => {
    const manifest = manifestOf({ orders: { columns: { note: { description: '{{ env_var("X") }} {% raw %}' } } } })
    const content = fileOf(convert(manifest), 'dbt_orders')
    expect(content).not.toMatch(/\{\{|\{%/)
    expect(JSON.parse(/description: (.*)$/m.exec(content)?.[1] ?? '')).toBe('{{ env_var("X") }} {% raw %}')
  })

  test('a column that a member cannot be named after is left out and noted', () => {
    const conversion = convert(manifestOf({ orders: { columns: { 'a{b': {}, 'a b': {}, a_b: {}, '1st': {} } } }))
    expect(fileOf(conversion, 'dbt_orders')).toContain('- name: "_1st"')
    expect(conversion.notes).toEqual([
      expect.stringContaining('column a{b is left out'),
      expect.stringContaining('column a_b is left out'),
    ])
  })

  test('a column named like a measure keeps its name, and the measure gets another', () => {
    const content = fileOf(convert(manifestOf({ orders: { columns: { count: { type: 'int' } } } })), 'dbt_orders')
    expect(content).toContain('- name: "count_measure"\n        type: count')
  })
})

describe('joins', () => {
  const joinOf = (content: string) => /joins:\n([\s\S]*?)\n\n/.exec(content)?.[1] ?? null

  test('come of relationships tests, many to one on the cube that refers', () => {
    const conversion = convert(shop)
    expect(joinOf(fileOf(conversion, 'dbt_orders'))).toBe(
      '      - name: dbt_customers\n        relationship: many_to_one\n        sql: "{CUBE}.customer_id = {dbt_customers}.customer_id"',
    )
    expect(joinOf(fileOf(conversion, 'dbt_customers'))).toBeNull()
  })

  test('the other way round where that is asked for, and none where none are', () => {
    const both = convert(shop, { HEDRON_DBT_REVERSE_JOINS: 'true' })
    expect(joinOf(fileOf(both, 'dbt_customers'))).toContain('relationship: one_to_many')
    expect(joinOf(fileOf(convert(shop, { HEDRON_DBT_JOINS: 'false' }), 'dbt_orders'))).toBeNull()
  })

  test('come of foreign keys, also of several columns', () => {
    const key = { type: 'foreign_key', columns: ['a', 'b'], to: "ref('others')", to_columns: ['c', 'd'] }
    const manifest = manifestOf({
      things: { columns: { a: {}, b: {} }, constraints: [key] },
      others: { columns: { c: {}, d: {} } },
    })
    expect(joinOf(fileOf(convert(manifest), 'dbt_things'))).toContain(
      '{CUBE}.a = {dbt_others}.c AND {CUBE}.b = {dbt_others}.d',
    )
  })

  test('that cannot be are left out and noted: to itself, to what is not converted, by columns that are not declared, twice', () => {
    const orders = { columns: { id: {}, parent_id: {}, buyer_id: {}, payer_id: {}, gone_id: {} } }
    const manifest = manifestOf(
      { orders, customers: { columns: { id: {} } }, gone: { config: { enabled: false }, columns: { id: {} } } },
      {
        tests: [
          relationship('orders', 'parent_id', 'orders', 'id'),
          relationship('orders', 'buyer_id', 'customers', 'id'),
          relationship('orders', 'payer_id', 'customers', 'id'),
          relationship('orders', 'gone_id', 'gone', 'id'),
          relationship('orders', 'nowhere', 'customers', 'id'),
        ],
      },
    )
    const conversion = convert(manifest)
    expect(joinOf(fileOf(conversion, 'dbt_orders'))).toContain('{CUBE}.buyer_id = {dbt_customers}.id')
    expect(conversion.notes.map(note => note.replace(/^.*?: no join by /, ''))).toEqual([
      'parent_id to model.shop.orders: it is the same model',
      'payer_id to model.shop.customers: two cubes are joined one way, here by buyer_id',
      'gone_id to model.shop.gone: it is not among the models that are converted',
      'nowhere to model.shop.customers: a column of it is not declared',
    ])
  })

  test('a column that others refer to is the key of its cube where nothing else is', () => {
    const manifest = manifestOf(
      { orders: { columns: { shop_code: {} } }, places: { columns: { code: {}, town: {} } } },
      { tests: [relationship('orders', 'shop_code', 'places', 'code')] },
    )
    expect(fileOf(convert(manifest), 'dbt_places')).toContain(
      'sql: "{CUBE}.code"\n        type: string\n        primary_key: true',
    )
  })
})

describe('which models', () => {
  test('ephemeral ones, disabled ones and the time spine become no cubes', () => {
    const conversion = convert(
      manifestOf({
        orders: {},
        between: { config: { materialized: 'ephemeral' } },
        off: { config: { enabled: false } },
        metricflow_time_spine: {},
      }),
    )
    expect(conversion.files.map(({ path }) => path)).toEqual(['model/cubes/dbt/dbt_orders.yml'])
  })

  test('those below the folders that are named; the files of the others are known and kept', () => {
    const place = (path: string) => ({ more: { original_file_path: path } })
    const manifest = manifestOf({ a: place('models/marts/a.sql'), b: place('models/staging/b.sql') })
    const conversion = convert(manifest, { HEDRON_DBT_FOLDERS: '/models/marts/, models/other' })
    expect(conversion.files.map(({ path }) => path)).toEqual(['model/cubes/dbt/dbt_a.yml'])
    expect([...conversion.knownPaths]).toContain('model/cubes/dbt/dbt_b.yml')
    expect(() => convert(manifest, { HEDRON_DBT_FOLDERS: 'nowhere' })).toThrow('no dbt models matched')
  })

  test('of the same name in two packages are told apart; names that still clash are refused', () => {
    const twin = manifestOf({ orders: {} })
    const other = { ...twin.nodes['model.shop.orders'], unique_id: 'model.pos.orders', package_name: 'pos' }
    const both = convert({ ...twin, nodes: { ...twin.nodes, 'model.pos.orders': other } })
    expect(both.files.map(({ path }) => path)).toEqual([
      'model/cubes/dbt/dbt_pos_orders.yml',
      'model/cubes/dbt/dbt_shop_orders.yml',
    ])
    expect(() => convert(manifestOf({ '1st': {} }), { HEDRON_DBT_NAME_PREFIX: '' })).toThrow('is taken or is no name')
  })

  test('versions are named after themselves', () => {
    const manifest = manifestOf({ orders: { more: { version: 2, latest_version: 2 } } })
    expect(convert(manifest).files[0]?.path).toBe('model/cubes/dbt/dbt_orders_v2.yml')
  })
})

describe('options that cannot be', () => {
  test.each([
    ['HEDRON_DBT_OUTPUT_PATH', 'model'],
    ['HEDRON_DBT_OUTPUT_PATH', 'model/../x'],
    ['HEDRON_DBT_OUTPUT_PATH', 'other/dbt'],
    ['HEDRON_DBT_NAME_PREFIX', 'a b'],
    ['HEDRON_DBT_JOINS', 'perhaps'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => convert(shop, { [name]: value })).toThrow(name)
  })
})

describe('a manifest that cannot be read', () => {
  const newest = manifestOf({ orders: {} })
  test.each([
    [null, 'no JSON object'],
    [[], 'no JSON object'],
    [{}, 'no metadata or no nodes'],
    [{ ...newest, metadata: { dbt_schema_version: 'https://x/catalog/v1.json' } }, 'names no manifest'],
    [{ ...newest, metadata: { dbt_schema_version: 'https://x/manifest/v9.json' } }, 'of version 9'],
    [{ ...newest, nodes: { a: { resource_type: 'model', unique_id: 'a' } } }, 'has no name'],
  ])('%#', (manifest, reason) => {
    expect(() => readManifest(manifest)).toThrow(reason)
  })

  test('what is of another shape inside is passed over, not believed', () => {
    const odd = manifestOf({ orders: { more: { columns: [1, null], constraints: 'x', description: 7, alias: null } } })
    const read = readManifest({ ...odd, nodes: { ...odd.nodes, x: null, y: { resource_type: 'test', config: 3 } } })
    expect(read.models).toMatchObject([{ name: 'orders', alias: 'orders', description: '', columns: [] }])
  })
})

test('tests of keys', () => {
  const tested = (more: object) => [
    columnTest('orders', 'ref', 'unique', more),
    columnTest('orders', 'ref', 'not_null', more),
  ]
  const keyOf = (tests: readonly object[], variables = {}) =>
    /name: "(\w+)"\n.*\n.*\n {8}primary_key/.exec(
      fileOf(
        convert(manifestOf({ orders: { columns: { ref: {}, order_id: {} } } }, { tests }), variables),
        'dbt_orders',
      ),
    )?.[1] ?? null
  expect(keyOf(tested({}))).toBe('ref')
  expect(keyOf([columnTest('orders', 'ref', 'unique')])).toBe('order_id')
  for (const config of [
    { severity: 'WARN' },
    { where: 'x > 1' },
    { limit: 5 },
    { error_if: '> 10' },
    { enabled: false },
  ]) {
    expect(keyOf(tested({ config }))).toBe('order_id')
  }
  const ofPackage = { test_metadata: { name: 'unique', namespace: 'own', kwargs: {} } }
  expect(keyOf([columnTest('orders', 'ref', 'unique', ofPackage), columnTest('orders', 'ref', 'not_null')])).toBe(
    'order_id',
  )
  expect(keyOf(tested({}), { HEDRON_DBT_KEYS_FROM_TESTS: 'false' })).toBe('order_id')
  expect(keyOf([], { HEDRON_DBT_KEYS_FROM_NAMES: 'false' })).toBeNull()
})
