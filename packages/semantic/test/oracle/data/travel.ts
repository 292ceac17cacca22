import { createNumbers, type DataSet } from '../support/data-set.ts'
import { momentAt, moments } from './moments.ts'

const numbers = createNumbers(59)
const airports = ['BER', 'JFK', 'AKL', 'OSL', 'XXX'] as const

/** Flights with two airports each (a diamond), and times that carry their zone. */
export const travel: DataSet = {
  name: 'travel',
  tables: {
    airports: {
      columns: { code: 'varchar', city: 'varchar', country: 'varchar', height: 'integer' },
      rows: [
        ['BER', 'Berlin', 'DE', 48],
        ['JFK', 'New York', 'US', 4],
        ['AKL', 'Auckland', 'NZ', 7],
        ['OSL', 'Oslo', 'NO', null],
        ['HAM', 'Hamburg', 'DE', 16],
      ],
    },
    carriers: {
      columns: { code: 'varchar', name: 'varchar', country: 'varchar' },
      rows: [
        ['LH', 'Lufthansa', 'DE'],
        ['NZ', 'Air New Zealand', 'NZ'],
      ],
    },
    countries: {
      columns: { code: 'varchar', name: 'varchar', population: 'bigint' },
      rows: [
        ['DE', 'Germany', 84_000_000],
        ['US', 'United States', 335_000_000],
        ['NZ', 'New Zealand', 5_100_000],
        ['NO', 'Norway', null],
      ],
    },
    flights: {
      columns: {
        id: 'integer',
        origin: 'varchar',
        destination: 'varchar',
        carrier: 'varchar',
        departs_at: 'timestamp',
        delay: 'integer',
        fare: 'decimal(12, 2)',
      },
      rows: Array.from({ length: 45 }, (_, place) => [
        place + 1,
        numbers.pick(airports),
        numbers.pick(airports),
        numbers.pick(['LH', 'NZ', 'ZZ', null]),
        moments[place] ?? momentAt(place * 9),
        place % 7 === 6 ? null : numbers.below(90) - 15,
        numbers.below(40_000) / 100,
      ]),
    },
    seats: {
      columns: { flight_id: 'integer', class: 'varchar', sold: 'integer' },
      rows: Array.from({ length: 60 }, (_, place) => [
        (place % 40) + 1,
        place < 40 ? 'economy' : 'business',
        numbers.below(50),
      ]),
    },
  },
}
