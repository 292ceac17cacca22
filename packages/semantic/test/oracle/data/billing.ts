import { createNumbers, type DataSet } from '../support/data-set.ts'
import { momentAt, moments } from './moments.ts'

const numbers = createNumbers(43)

/** Subscriptions that begin and end at difficult moments, invoices of them, and a calendar with fiscal periods. */
export const billing: DataSet = {
  name: 'billing',
  tables: {
    plans: {
      columns: { id: 'integer', name: 'varchar', price: 'decimal(12, 2)' },
      rows: [
        [1, 'basic', 9.99],
        [2, 'plus', 29.5],
        [3, 'retired', null],
      ],
    },
    subscriptions: {
      columns: {
        id: 'integer',
        customer: 'varchar',
        plan_id: 'integer',
        seats: 'integer',
        started_at: 'timestamp',
        ended_at: 'timestamp',
      },
      rows: moments.map((moment, place) => [
        place + 1,
        `customer ${place % 8}`,
        [1, 2, 2, null][place % 4] ?? null,
        1 + (place % 5),
        moment,
        place % 3 === 0 ? momentAt(200 + place * 6) : null,
      ]),
    },
    invoices: {
      columns: {
        id: 'integer',
        subscription_id: 'integer',
        amount: 'decimal(12, 2)',
        issued_at: 'timestamp',
        paid_at: 'timestamp',
      },
      rows: Array.from({ length: 55 }, (_, place) => [
        place + 1,
        numbers.below(26) + 1,
        place % 11 === 10 ? null : numbers.below(10_000) / 100,
        momentAt(place * 7 + 2),
        numbers.pick([momentAt(place * 8 + 9), null]),
      ]),
    },
    days: {
      columns: { day: 'timestamp', fiscal_month: 'timestamp', fiscal_year: 'timestamp', is_holiday: 'boolean' },
      rows: Array.from({ length: 735 }, (_, place) => calendarDay(Date.UTC(2023, 5, 1) + place * 86_400_000)),
    },
  },
}

/** Fiscal months begin on the 5th, fiscal years on 5 February. */
function calendarDay(instant: number): [string, string, string, boolean] {
  const write = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
  const shifted = new Date(instant - 4 * 86_400_000)
  const month = Date.UTC(shifted.getUTCFullYear(), shifted.getUTCMonth(), 5)
  const year = Date.UTC(shifted.getUTCFullYear() - (shifted.getUTCMonth() < 1 ? 1 : 0), 1, 5)
  return [write(instant), write(month), write(year), new Date(instant).getUTCDay() === 0]
}
