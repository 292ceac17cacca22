import { createNumbers, type DataSet } from '../support/data-set.ts'
import { momentAt, moments } from './moments.ts'

const numbers = createNumbers(11)
const kinds = ['view', 'click', 'purchase', null] as const

/** A stream of events over two years, with every difficult moment in it. */
export const events: DataSet = {
  name: 'events',
  tables: {
    users: {
      columns: { id: 'integer', name: 'varchar', plan: 'varchar', country: 'varchar', is_internal: 'boolean' },
      rows: [
        [1, 'ada', 'pro', 'SE', false],
        [2, 'ben', 'free', 'DE', false],
        [3, 'cyd', null, 'DE', true],
        [4, 'dov', 'free', null, null],
      ],
    },
    sessions: {
      columns: {
        id: 'integer',
        user_id: 'integer',
        started_at: 'timestamp',
        ended_at: 'timestamp',
        device: 'varchar',
      },
      rows: Array.from({ length: 18 }, (_, place) => [
        place + 1,
        [1, 2, 3, null][place % 4] ?? null,
        moments[place] ?? null,
        place % 5 === 4 ? null : momentAt(250 + place * 3),
        numbers.pick(['phone', 'desktop', 'tablet']),
      ]),
    },
    events: {
      columns: {
        id: 'integer',
        session_id: 'integer',
        user_id: 'integer',
        kind: 'varchar',
        happened_at: 'timestamp',
        amount: 'decimal(12, 2)',
        score: 'double precision',
      },
      rows: [
        ...moments.map((moment, place) => [
          place + 1,
          (place % 20) + 1,
          (place % 4) + 1,
          kinds[place % 4] ?? null,
          moment,
          place % 4 === 2 ? place + 0.5 : null,
          place / 4,
        ]),
        ...Array.from({ length: 60 }, (_, place) => [
          200 + place,
          numbers.below(19) + 1,
          numbers.pick([1, 2, 3, 4, 5]),
          numbers.pick(kinds),
          momentAt(place * 7),
          numbers.pick([null, 1.5, 2.25, 10]),
          numbers.below(100) / 8,
        ]),
        [999, null, null, 'view', null, null, null],
      ],
    },
    empty_events: {
      columns: { id: 'integer', kind: 'varchar', happened_at: 'timestamp', amount: 'decimal(12, 2)' },
      rows: [],
    },
  },
}
