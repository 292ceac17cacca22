/** The files of a new deployment: one cube that answers at once, without any data source. */
export const starterProject: ReadonlyMap<string, string> = new Map([
  [
    'model/cubes/example_orders.yml',
    `# A first cube. Replace its sql with a table of your own, or delete this file.
# What a cube can hold: docs/data-model.md
cubes:
  - name: example_orders
    sql: >
      SELECT 1 AS id, 100 AS amount, 'new' AS status UNION ALL
      SELECT 2 AS id, 250 AS amount, 'processed' AS status UNION ALL
      SELECT 3 AS id, 50 AS amount, 'processed' AS status

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true

      - name: status
        sql: status
        type: string

    measures:
      - name: count
        type: count

      - name: total_amount
        sql: amount
        type: sum
`,
  ],
])
