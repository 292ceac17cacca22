import { createNumbers, type DataSet } from '../support/data-set.ts'
import { momentAt } from './moments.ts'

const numbers = createNumbers(23)
const accounts = [
  ['A', 1, 'ann', 'EUR', '2020-01-31'],
  ['A', 11, 'bea', 'USD', '2021-06-30'],
  ['A1', 1, 'ann', 'EUR', '2022-02-28'],
  ['B', 1, 'cid', null, null],
  ['B', 2, null, 'USD', '2024-02-29'],
] as const

/** Keys of two columns whose texts run together ('A', 11 and 'A1', 1), and amounts that cancel. */
export const finance: DataSet = {
  name: 'finance',
  tables: {
    accounts: {
      columns: { bank: 'varchar', number: 'integer', holder: 'varchar', currency: 'varchar', opened: 'date' },
      rows: accounts,
    },
    bookings: {
      columns: {
        id: 'integer',
        bank: 'varchar',
        number: 'integer',
        amount: 'decimal(12, 2)',
        category: 'varchar',
        booked_at: 'timestamp',
        is_checked: 'boolean',
      },
      rows: Array.from({ length: 50 }, (_, place) => {
        const [bank, number] = accounts[place % 5] ?? ['A', 1]
        return [
          place + 1,
          place % 17 === 16 ? 'Z' : bank,
          number,
          place % 13 === 12 ? null : (numbers.below(20_000) - 10_000) / 100,
          numbers.pick(['rent', 'food', 'fees', null]),
          momentAt(place * 8),
          numbers.pick([true, false, null]),
        ]
      }),
    },
    holders: {
      columns: { name: 'varchar', segment: 'varchar' },
      rows: [
        ['ann', 'private'],
        ['bea', 'business'],
        ['dan', 'private'],
      ],
    },
    limits: {
      columns: { bank: 'varchar', number: 'integer', kind: 'varchar', allowed: 'integer' },
      rows: [
        ['A', 1, 'day', 500],
        ['A', 1, 'month', 5000],
        ['A', 11, 'day', 100],
        ['A1', 1, 'day', 50],
        ['B', 2, 'day', null],
      ],
    },
  },
}
