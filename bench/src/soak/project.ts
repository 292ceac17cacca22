/** A million numbered lines, which this process computes. */
function factsOf(dataSource: string): string {
  return `  - name: facts
    data_source: ${dataSource}
    sql: SELECT range AS id, range % 7 AS kind, 'a line of text, number ' || range AS label FROM range(1000000)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: kind, sql: kind, type: number }
      - { name: label, sql: label, type: string }
    measures:
      - { name: count, type: count }
      - { name: total, sql: id, type: sum }
`
}

/** What the deployment's production and its branches answer from, beside the version, which changes. */
export const modelFiles: Readonly<Record<string, string>> = {
  'model/orders.yml': `cubes:
  - name: orders
    sql_table: orders
    refresh_key: { every: 5 second }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: city, sql: city, type: string }
      - { name: placed, sql: placed, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: largest, sql: amount, type: max }
    pre_aggregations:
      - name: by_day
        measures: [count, revenue]
        dimensions: [status]
        time_dimension: placed
        granularity: day
        partition_granularity: quarter
        refresh_key: { every: 10 second }
  - name: ticks
    sql_table: ticks
    refresh_key: { every: 1 second }
    measures: [{ name: count, type: count }]
`,
  'model/large.yml': `cubes:
  - name: big
    sql: SELECT g AS id, 'a line of text, number ' || g AS label FROM generate_series(1, 200000) AS g
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: label, sql: label, type: string }
    measures: [{ name: count, type: count }]
  - name: slow
    sql: SELECT g AS id, pg_sleep(0.01) AS nap FROM generate_series(1, 200) AS g
    dimensions: [{ name: id, sql: id, type: number, primary_key: true, public: true }]
    measures: [{ name: count, type: count }]
${factsOf('local')}`,
}

/** Of a deployment that nobody changes. */
export const calmFiles: Readonly<Record<string, string>> = {
  'model/facts.yml': `cubes:\n${factsOf('default')}`,
}

export const versionPath = 'model/version.yml'

export const versionFile = (version: number) => `cubes:
  - name: version
    data_source: local
    sql: SELECT ${version} AS number
    measures: [{ name: number, sql: number, type: max }]
`

/** A model with a key that there is not. */
export const brokenVersionFile = (version: number) => versionFile(version).replace('sql:', 'sqll:')
