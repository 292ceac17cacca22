import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProjectFiles } from './project.ts'
import { signHmac } from './tokens.ts'

export const tenantSecret = 'the secret of the tests that walk every address'

/** Rows lie in a file, so that no SQL of the model holds a value of them. Each value of a tenant says whose it is. */
const rows = [
  ['1', 'red', '110110110', '71717171', 'redword', '2024-01-05'],
  ['2', 'red', '220220220', '72727272', 'redword', '2024-02-05'],
  ['3', 'blue', '440440440', '81818181', 'blueword', '2024-02-06'],
  ['4', 'blue', '550550550', '82828282', 'blueword', '2024-03-07'],
] as const

export async function writeTenants(dataDirectory: string, deploymentId: number): Promise<void> {
  const folder = join(dataDirectory, 'deployments', String(deploymentId), 'data')
  await mkdir(folder, { recursive: true })
  const text = ['id,tenant,amount,cost,word,placed', ...rows.map(row => row.join(','))].join('\n')
  await writeFile(join(folder, 'orders.csv.new'), `${text}\n`)
  await rename(join(folder, 'orders.csv.new'), join(folder, 'orders.csv'))
}

/**
 * Orders of two tenants. Red is shown some members, one of them masked; blue all; `vault` is for nobody. Names that red may not know
 * have `hush` in them, as have titles, descriptions, values of policies and a rollup that cannot be built.
 */
export const twoTenants: ProjectFiles = {
  'model/orders.yml': `cubes:
  - name: orders
    sql: >
      SELECT CAST(id AS INTEGER) AS id, tenant, CAST(amount AS INTEGER) AS amount, CAST(cost AS INTEGER) AS cost, word,
        CAST(placed AS TIMESTAMP) AS placed
      FROM read_csv('orders.csv', header = true, all_varchar = true)
    refresh_key: { every: 1 hour }
    joins:
      - { name: hush_vault, sql: "{CUBE}.id = {hush_vault}.id", relationship: one_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: word, sql: word, type: string }
      - { name: cost, sql: cost, type: number, mask: -1 }
      - { name: placed, sql: placed, type: time }
      - { name: hush_key, sql: "tenant || '-key'", type: string, title: The hush of it }
    segments:
      - { name: hush_part, sql: "{CUBE}.cost > 82000000" }
    hierarchies:
      - { name: levels, levels: [tenant, hush_key] }
    measures:
      - { name: count, type: count, drill_members: [id, word, hush_key] }
      - { name: revenue, sql: amount, type: sum }
      - { name: hush_margin, sql: "{CUBE}.amount - {CUBE}.cost", type: sum, description: to be kept hush }
      - { name: index, sql: "{hush_margin} * 0 + {revenue}", type: number }
    access_policy:
      - group: red
        member_level: { includes: [id, tenant, word, placed, count, revenue, index] }
        member_masking: { includes: [cost] }
        row_level:
          filters:
            - { member: tenant, operator: equals, values: ["{ userAttributes.tenant }"] }
            - { member: hush_key, operator: notEquals, values: [hush-value] }
      - group: blue
        row_level: { filters: [{ member: tenant, operator: equals, values: [blue] }] }
    pre_aggregations:
      - { name: main, measures: [count, revenue, hush_margin], dimensions: [tenant, hush_key, word], time_dimension: placed, granularity: day }
      - { name: hush_rollup, measures: [hush_margin], dimensions: [hush_key, id] }
      - { name: plain, measures: [count], dimensions: [cost] }
  - name: hush_vault
    sql: SELECT CAST(id AS INTEGER) AS id, 'hush' AS word FROM read_csv('orders.csv', header = true, all_varchar = true)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: word, sql: word, type: string }
    measures: [{ name: number, type: count }]
    pre_aggregations:
      - { name: of_vault, measures: [number], dimensions: [word] }
    access_policy: [{ group: nobody }]
  - name: broken
    sql: SELECT CAST(id AS INTEGER) AS id, tenant, CAST(word AS INTEGER) AS number FROM read_csv('orders.csv', header = true, all_varchar = true)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string }
    measures:
      - { name: total, sql: number, type: sum }
      - { name: count, type: count }
    pre_aggregations:
      - { name: failing, measures: [count, total], dimensions: [tenant] }
    access_policy:
      - group: red
        row_level: { filters: [{ member: tenant, operator: equals, values: [red] }] }
      - group: blue
        row_level: { filters: [{ member: tenant, operator: equals, values: [blue] }] }
views:
  - name: sales
    description: What was sold.
    cubes:
      - { join_path: orders, includes: [count, revenue, cost, word, hush_margin] }
    access_policy:
      - group: red
        member_level: { includes: [count, revenue, cost, word] }
      - group: blue
`,
}

export const tenants = {
  red: {
    token: signHmac({ cubeCloud: { groups: ['red'], userAttributes: { tenant: 'red' } } }, tenantSecret),
    own: /redword|330330330/,
    /** Values of rows that no answer to him may hold, and names that none may but the SQL of what he asks. */
    keptRows: /blue|440440|550550|990990|717171|727272|818181|828282/i,
    keptNames: /hush|of_vault/i,
  },
  blue: {
    token: signHmac({ cubeCloud: { groups: ['blue'] } }, tenantSecret),
    own: /blueword|990990990/,
    keptRows: /redword|110110|220220|330330|717171|727272/i,
    keptNames: /hush_?vault|of_vault/i,
  },
  /** Somebody with a token and no group. */
  stranger: {
    token: signHmac({}, tenantSecret),
    own: /(?!)/,
    keptRows: /blue|redword|110110|220220|330330|440440|550550|990990|717171|727272|818181|828282/i,
    keptNames: /hush|of_vault/i,
  },
} as const
export type Tenant = keyof typeof tenants
