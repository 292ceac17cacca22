const profiles = (name: string) =>
  `${name}:\n  target: dev\n  outputs:\n    dev: { type: duckdb, path: ':memory:', schema: "{{ env_var('DBT_TARGET_SCHEMA', 'main') }}" }\n`

/** Orders, their items and customers: a contract with constraints, and tests of columns. */
export const salesProject: Readonly<Record<string, string>> = {
  'dbt_project.yml': `name: sales
version: '1.0.0'
profile: sales
model-paths: [models]
models:
  sales:
    +materialized: table
    +schema: marts
`,
  'profiles.yml': profiles('sales'),
  'packages.yml': 'packages:\n  - local: shared\n',
  'shared/dbt_project.yml': "name: shared\nversion: '1.0.0'\nmacro-paths: [macros]\n",
  'shared/macros/one.sql': '{% macro one() %}1{% endmacro %}\n',
  'models/customers.sql': "select {{ shared.one() }} as customer_id, 'Ada' as name\n",
  'models/orders.sql':
    "select 1 as order_id, customer_id, 10.5 as amount, date '2026-04-01' as ordered_at from {{ ref('customers') }}\n",
  'models/order_items.sql': "select order_id, 1 as line, 4.0 as price from {{ ref('orders') }}\n",
  'models/schema.yml': `version: 2
models:
  - name: customers
    description: Who buys. {{ '{{' }} not a template {{ '}}' }}
    columns:
      - { name: customer_id, data_type: integer, data_tests: [unique, not_null] }
      - { name: name, data_type: varchar }
  - name: orders
    columns:
      - { name: order_id, data_type: integer, data_tests: [unique, not_null] }
      - name: customer_id
        data_type: integer
        data_tests:
          - relationships: { to: ref('customers'), field: customer_id }
      - { name: amount, data_type: 'decimal(12, 2)' }
      - { name: ordered_at, data_type: date }
  - name: order_items
    config: { contract: { enforced: true } }
    constraints:
      - { type: primary_key, columns: [order_id, line] }
      - { type: foreign_key, columns: [order_id], to: ref('orders'), to_columns: [order_id] }
    columns:
      - { name: order_id, data_type: integer }
      - { name: line, data_type: integer }
      - { name: price, data_type: 'decimal(12, 2)' }
`,
}

/** In a folder of its repository: versions of a model, an alias, an ephemeral model, a seed, a snapshot, a source, an exposure. */
export const starProject: Readonly<Record<string, string>> = {
  'README.md': 'A warehouse.\n',
  'warehouse/dbt_project.yml':
    "name: star\nversion: '1.0.0'\nprofile: star\nmodel-paths: [models]\nseed-paths: [seeds]\n",
  'warehouse/profiles.yml': profiles('star'),
  'warehouse/seeds/regions.csv': 'id,name\n1,north\n',
  'warehouse/models/between.sql': "{{ config(materialized='ephemeral') }} select 1 as id\n",
  'warehouse/models/dim_dates.sql': "{{ config(alias='dates') }} select date '2026-01-01' as date_id\n",
  'warehouse/models/fct_sales_v1.sql': "select 1 as sale_id from {{ ref('between') }}\n",
  'warehouse/models/fct_sales_v2.sql': "select 1 as sale_id, 2 as total from {{ source('raw', 'sales') }}\n",
  'warehouse/models/schema.yml': `version: 2
sources:
  - name: raw
    tables: [{ name: sales }]
exposures:
  - name: board
    type: dashboard
    owner: { email: ada@example.com }
    depends_on: [ref('dim_dates')]
models:
  - name: dim_dates
    columns: [{ name: date_id, data_type: date }]
  - name: fct_sales
    latest_version: 2
    columns: [{ name: sale_id, data_type: integer }]
    versions:
      - v: 1
      - v: 2
        columns: [{ include: all }, { name: total, data_type: integer }]
`,
}

export const brokenProject: Readonly<Record<string, string>> = {
  'dbt_project.yml': "name: broken\nversion: '1.0.0'\nprofile: broken\nmodel-paths: [models]\n",
  'profiles.yml': profiles('broken'),
  'models/a.sql': "select * from {{ ref('no_such_model') }}\n",
}
