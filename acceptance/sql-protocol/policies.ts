import type { ProjectFiles } from '../data-api/project.ts'

/** Many rows, and a question that takes longer than anybody waits. */
const numbers = `cubes:
  - name: numbers
    sql: SELECT range AS n FROM range(100000)
    dimensions:
      - { name: n, sql: n, type: number, primary_key: true, public: true }
    measures:
      - { name: count, type: count }
      - { name: total, sql: n, type: sum }
  - name: endless
    sql: SELECT a.range + b.range AS n FROM range(10000000) a, range(1000) b
    dimensions:
      - { name: n, sql: n, type: number }
    measures:
      - { name: total, sql: "sqrt({CUBE}.n)", type: sum }
`

export const withNumbers = (files: ProjectFiles): ProjectFiles => ({ ...files, 'model/numbers.yml': numbers })

/** Orders of two tenants: each sees its own, and one column is masked, another hidden. */
export const policies: ProjectFiles = {
  'model/orders.yml': `cubes:
  - name: orders
    description: What was ordered.
    sql: >
      SELECT * FROM (VALUES (1, 'red', 10.5, 7, TIMESTAMP '2024-01-01 00:30:00'), (2, 'red', 20, 8, TIMESTAMP '2024-01-02 12:00:00.5'),
        (3, 'blue', 400, 9, TIMESTAMP '2024-02-01 00:00:00')) AS rows(id, tenant, amount, cost, created_at)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string, description: Whose it is. }
      - { name: cost, sql: cost, type: number, mask: -1 }
      - { name: created_at, sql: created_at, type: time }
      - { name: is_large, sql: "amount > 15", type: boolean }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: margin, sql: "{CUBE}.amount - {CUBE}.cost", type: sum }
    access_policy:
      - group: red
        member_level: { includes: [id, tenant, count, revenue, created_at, is_large] }
        member_masking: { includes: [cost] }
        row_level:
          filters: [{ member: tenant, operator: equals, values: ["red"] }]
      - group: blue
        row_level:
          filters: [{ member: tenant, operator: equals, values: ["blue"] }]
  - name: mine
    sql: "SELECT * FROM (VALUES ('ann', 1), ('bob', 2), ('bob', 4)) AS rows(owner, points) WHERE {SECURITY_CONTEXT.user.filter('owner')}"
    dimensions:
      - { name: owner, sql: owner, type: string }
    measures:
      - { name: count, type: count }
      - { name: points, sql: points, type: sum }
    access_policy:
      - group: "*"
        row_level:
          filters: [{ member: owner, operator: equals, values: ["{ securityContext.user }"] }]
  - name: secrets
    sql: SELECT 1 AS id
    measures: [{ name: number, type: count }]
    access_policy:
      - group: nobody
`,
  'model/numbers.yml': numbers,
}
