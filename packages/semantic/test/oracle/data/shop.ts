import { createNumbers, type DataSet } from '../support/data-set.ts'
import { momentAt, moments } from './moments.ts'

const numbers = createNumbers(7)
const statuses = ['done', 'open', 'cancelled', null] as const

/** Customers without orders, orders of nobody, orders without items, items of no order, names with wildcards, nulls. */
export const shop: DataSet = {
  name: 'shop',
  tables: {
    customers: {
      columns: {
        id: 'integer',
        name: 'varchar',
        city: 'varchar',
        is_member: 'boolean',
        signed_up: 'timestamp',
        born: 'date',
        latitude: 'double precision',
        longitude: 'double precision',
        referred_by: 'integer',
      },
      rows: [
        [1, 'Ann', 'Berlin', true, '2023-01-15 10:00:00', '1990-02-28', 52.5, 13.4, null],
        [2, 'Bob', 'Berlin', false, '2023-06-30 23:30:00', '1988-12-31', 52.5, 13.4, 1],
        [3, 'Cem_100%', 'Paris', true, '2024-02-29 00:00:00', '2000-02-29', 48.9, 2.4, 1],
        [4, 'Dora', null, null, '2024-03-10 06:30:00', null, null, null, 3],
        [5, 'cemile', 'Oslo', false, '2024-03-31 22:59:59.999', '1975-07-01', 59.9, 10.8, 3],
        [6, "O'Hara", 'Saint-Étienne', true, null, '1999-01-01', 45.4, 4.4, 99],
        [7, 'back\\slash', 'oslo', false, '2024-12-31 23:59:59.999', '1990-02-28', null, 10.8, null],
      ],
    },
    profiles: {
      columns: { customer_id: 'integer', level: 'varchar', points: 'integer' },
      rows: [
        [1, 'gold', 100],
        [3, 'silver', 40],
        [5, 'gold', null],
        [42, 'bronze', 3],
      ],
    },
    orders: {
      columns: {
        id: 'integer',
        customer_id: 'integer',
        status: 'varchar',
        amount: 'decimal(12, 2)',
        created_at: 'timestamp',
        shipped_at: 'timestamp',
      },
      rows: [
        ...moments.map((moment, place) => [
          place + 1,
          [1, 2, 3, 4, null, 99, 1][place % 7] ?? null,
          statuses[place % 4] ?? null,
          place % 9 === 8 ? null : ((place * 37) % 100) + 0.25,
          moment,
          place % 3 === 0 ? null : momentAt(place * 9),
        ]),
        ...Array.from({ length: 15 }, (_, place) => [
          100 + place,
          numbers.pick([1, 2, 3, 5, null]),
          numbers.pick(statuses),
          numbers.below(5000) / 100,
          momentAt(place * 20),
          momentAt(place * 20 + 3),
        ]),
      ],
    },
    line_items: {
      columns: {
        order_id: 'integer',
        line: 'integer',
        product_id: 'integer',
        quantity: 'integer',
        price: 'decimal(12, 2)',
      },
      rows: [
        [77, 1, 2, 1, 1],
        ...Array.from({ length: 20 }, (_, place) =>
          Array.from({ length: 1 + (place % 3) }, (_, line) => [
            place + 1,
            line + 1,
            numbers.pick([1, 2, 3, 4, null]),
            1 + numbers.below(6),
            numbers.below(1000) / 100,
          ]),
        ).flat(),
      ],
    },
    products: {
      columns: { id: 'integer', name: 'varchar', category: 'varchar', supplier_id: 'integer' },
      rows: [
        [1, 'Pen', 'office', 1],
        [2, 'Ink', 'office', 2],
        [3, 'Tea', 'food', 2],
        [4, 'Nut', null, null],
        [5, 'Never sold', 'food', 1],
      ],
    },
    suppliers: {
      columns: { id: 'integer', name: 'varchar', country: 'varchar' },
      rows: [
        [1, 'Acme', 'DE'],
        [2, 'Bolt', 'FR'],
        [3, 'Idle', 'FR'],
      ],
    },
    returns: {
      columns: { id: 'integer', order_id: 'integer', line: 'integer', reason: 'varchar', returned_at: 'timestamp' },
      rows: [
        [1, 1, 1, 'late', '2024-01-05 09:00:00'],
        [2, 2, 1, 'broken', '2024-01-09 09:00:00'],
        [3, 2, 2, 'broken', '2024-01-09 09:00:00'],
        [4, 2, 2, null, '2024-02-01 00:00:00'],
        [5, 9, 3, 'late', null],
      ],
    },
    wishes: {
      columns: { id: 'integer', customer_id: 'integer', price: 'decimal(12, 2)', made_at: 'timestamp' },
      rows: [],
    },
  },
}
