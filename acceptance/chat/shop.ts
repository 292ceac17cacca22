import { createProject } from '../data-api/project.ts'
import { type Api, unique } from '../support/api.ts'

/** Rows that a user sees are those of his tenant, by an attribute or his security context. `sluggish` takes minutes to count. */
export const chatModel = {
  'model/orders.yml': `cubes:
  - name: orders
    sql: >
      SELECT * FROM (VALUES (1, 'red', 'Oslo', 10), (2, 'red', 'Rome', 20), (3, 'blue', 'Lima', 40), (4, 'blue', 'Cairo', 80),
        (5, 'blue', 'Quito', 160)) AS rows(id, tenant, city, amount)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: city, sql: city, type: string }
    measures:
      - { name: count, type: count }
      - { name: total_amount, sql: amount, type: sum }
    access_policy:
      - group: "*"
        row_level:
          filters:
            - { member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }
`,
  'model/sluggish.yml': `cubes:
  - name: sluggish
    sql: SELECT hash(a.range, b.range) AS value FROM range(400000) AS a CROSS JOIN range(400000) AS b
    measures:
      - { name: greatest_hash, sql: value, type: max }
`,
}

/** A question whose query runs until it is stopped. */
export const endless = 'What is the greatest hash of sluggish?'

export const createShop = (api: Api, variables: Readonly<Record<string, string>> = {}): Promise<number> =>
  createProject(api, chatModel, variables)

/** `sessionSettings` of an external user that no other test has. */
export const someone = (tenant: string, name = unique('someone')) => ({
  externalId: name,
  securityContext: { tenant },
})
