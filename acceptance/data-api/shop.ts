import type { ProjectFiles } from './project.ts'

/**
 * A shop so small that every answer can be worked out by hand: six orders of three customers, with a missing value, a number
 * larger than a double holds exactly, and moments on both sides of midnight.
 */
export const shop: ProjectFiles = {
  'model/cubes/orders.yml': `cubes:
  - name: orders
    description: What was ordered.
    sql: >
      SELECT * FROM (VALUES
        (1, 1, 'new',  10.50, TIMESTAMP '2024-01-01 00:00:00',     9007199254740993, true,  'first'),
        (2, 1, 'paid', 20.25, TIMESTAMP '2024-01-01 23:30:00',     2,                false, '100%'),
        (3, 2, 'paid', 5.00,  TIMESTAMP '2024-01-02 12:00:00.123', 3,                false, 'a_b'),
        (4, 2, 'paid', 40.00, TIMESTAMP '2024-02-29 08:15:00',     4,                true,  'axb'),
        (5, 3, NULL,   100.0, TIMESTAMP '2024-03-10 07:30:00',     5,                NULL,  NULL),
        (6, 3, 'new',  NULL,  TIMESTAMP '2024-03-31 00:59:59.999', 6,                false, 'Ünïcode')
      ) AS rows(id, customer_id, status, amount, created_at, serial, is_gift, note)

    joins:
      - name: customers
        sql: "{CUBE}.customer_id = {customers.id}"
        relationship: many_to_one

    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
        public: true
      - name: status
        sql: status
        type: string
        title: State of the order
        description: How far it is.
        meta:
          owner: sales
      - name: created_at
        sql: created_at
        type: time
      - name: serial
        sql: serial
        type: number
      - name: is_gift
        sql: is_gift
        type: boolean
      - name: note
        sql: note
        type: string
      - name: cost
        sql: amount
        type: number
        public: false

    segments:
      - name: paid
        sql: "{CUBE}.status = 'paid'"
        description: Paid for.
      - name: hidden_part
        sql: "{CUBE}.id > 1"
        public: false

    measures:
      - name: count
        type: count
        drill_members: [id, status, created_at]
      - name: total
        sql: amount
        type: sum
        format: currency
      - name: average
        sql: amount
        type: avg
      - name: largest
        sql: amount
        type: max
      - name: buyers
        sql: customer_id
        type: count_distinct
      - name: paid_count
        type: count
        filters:
          - sql: "{CUBE}.status = 'paid'"
      - name: share_paid
        sql: "1.0 * {paid_count} / NULLIF({count}, 0)"
        type: number
        format: percent
      - name: margin
        sql: amount
        type: min
        public: false
`,
  'model/cubes/customers.yml': `cubes:
  - name: customers
    sql: >
      SELECT * FROM (VALUES (1, 'Ada', 'Berlin'), (2, 'Grace', 'New York'), (3, 'O''Neil', NULL)) AS rows(id, name, city)
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: name
        sql: name
        type: string
      - name: city
        sql: city
        type: string
    measures:
      - name: count
        type: count

  - name: visits
    sql: >
      SELECT * FROM (VALUES
        (1, TIMESTAMP '2024-01-01 10:00:00'), (2, TIMESTAMP '2024-01-02 10:00:00'), (3, TIMESTAMP '2024-01-02 11:00:00')
      ) AS rows(id, visited_at)
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: visited_at
        sql: visited_at
        type: time
    measures:
      - name: count
        type: count

  - name: vault
    public: false
    sql: SELECT 1 AS id
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
    measures:
      - name: count
        type: count
`,
  'model/views/sales.yml': `views:
  - name: sales
    title: Sales
    description: Orders with who bought.
    cubes:
      - join_path: orders
        includes:
          - count
          - total
          - status
          - created_at
          - paid
      - join_path: orders.customers
        prefix: true
        includes:
          - name
          - city
`,
}
