/**
 * A cube of three orders of two tenants: those of red bring 10 and 20, that of blue 400.
 *
 * @param accessPolicy what stands below `access_policy`, from the beginning of the line
 * @param dimensions more of them, a line each
 */
export const ordersOfTwo = (accessPolicy: string, dimensions: readonly string[] = []): string => `cubes:
  - name: orders
    sql: >
      SELECT * FROM (VALUES (1, 'red', 10, 7), (2, 'red', 20, 8), (3, 'blue', 400, 9)) AS rows(id, tenant, amount, cost)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: cost, sql: cost, type: number, mask: -1 }
${dimensions.map(dimension => `      - ${dimension}\n`).join('')}    measures:
      - { name: count, type: count, drill_members: [id, cost, tenant] }
      - { name: revenue, sql: amount, type: sum }
      - { name: margin, sql: "{CUBE}.amount - {CUBE}.cost", type: sum, description: only for blue }
    access_policy:
${accessPolicy}`

/** Each caller sees the orders of the tenant that a text with placeholders tells. */
export const ordersByTenant = (tenant: string): string =>
  ordersOfTwo(`      - group: "*"
        row_level:
          filters: [{ member: tenant, operator: equals, values: ["${tenant}"] }]
`)
