import { createNumbers, type DataSet } from '../support/data-set.ts'
import { momentAt, moments } from './moments.ts'

const numbers = createNumbers(31)

/** Many to many through treatments, two facts (stays, visits) of one patient, a chain of four tables. */
export const hospital: DataSet = {
  name: 'hospital',
  tables: {
    patients: {
      columns: { id: 'integer', name: 'varchar', born: 'date', is_insured: 'boolean' },
      rows: [
        [1, 'Ida', '1950-05-05', true],
        [2, 'Jon', '1984-02-29', false],
        [3, 'Kim', null, true],
        [4, 'Lou', '2010-10-10', null],
        [5, 'Mia', '1984-02-29', true],
      ],
    },
    wards: {
      columns: { id: 'integer', name: 'varchar', floor: 'integer' },
      rows: [
        [1, 'Surgery', 1],
        [2, 'Children', 2],
        [3, 'Closed', null],
      ],
    },
    stays: {
      columns: {
        id: 'integer',
        patient_id: 'integer',
        ward_id: 'integer',
        admitted_at: 'timestamp',
        left_at: 'timestamp',
        cost: 'decimal(12, 2)',
      },
      rows: Array.from({ length: 16 }, (_, place) => [
        place + 1,
        [1, 2, 3, 4, null][place % 5] ?? null,
        [1, 2, null][place % 3] ?? null,
        moments[place] ?? null,
        place % 6 === 5 ? null : momentAt(300 + place * 2),
        numbers.below(100_000) / 100,
      ]),
    },
    doctors: {
      columns: { id: 'integer', name: 'varchar', field: 'varchar' },
      rows: [
        [1, 'Oda', 'heart'],
        [2, 'Pia', 'bone'],
        [3, 'Quy', null],
        [4, 'Rex', 'heart'],
      ],
    },
    treatments: {
      columns: { id: 'integer', stay_id: 'integer', doctor_id: 'integer', minutes: 'integer' },
      rows: Array.from({ length: 26 }, (_, place) => [
        place + 1,
        numbers.below(14) + 1,
        numbers.pick([1, 2, 3, null]),
        place % 8 === 7 ? null : 5 + numbers.below(90),
      ]),
    },
    visits: {
      columns: { id: 'integer', patient_id: 'integer', visited_at: 'timestamp', visitors: 'integer' },
      rows: Array.from({ length: 12 }, (_, place) => [
        place + 1,
        numbers.pick([1, 2, 5, null]),
        momentAt(place * 30),
        numbers.below(4),
      ]),
    },
  },
}
