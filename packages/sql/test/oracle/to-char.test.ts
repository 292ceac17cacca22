import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Databases, openDatabases } from './databases.ts'

let databases: Databases
beforeAll(async () => {
  databases = await openDatabases()
})
afterAll(() => databases.close())

const runs = Number(process.env.HEDRON_TO_CHAR_RUNS ?? 150)

/** The texts that a statement of one row gives, as they are: blanks and zeros count. */
async function texts(ask: (text: string) => Promise<readonly (readonly unknown[])[]>, text: string) {
  const [row = []] = await ask(text)
  return row.map(cell => (cell === null ? null : String(cell)))
}

/** What PostgreSQL refuses, and what is refused here, is not compared. */
async function compare(values: readonly string[], pattern: string) {
  const text = `SELECT ${values.map((value, position) => `to_char(${value}, '${pattern.replaceAll("'", "''")}') AS c${position}`).join(', ')} FROM t WHERE id = 1`
  const wanted = await texts(databases.asPostgres, text)
  expect({ text, texts: await texts(databases.throughDuckDb, text) }).toEqual({ text, texts: wanted })
}

const numbers = [
  ...['0', '1', '-1', '12', '-12', '485', '-485', '1485', '-99999', '1234567', '3999', '4000', '11', '21', '112', '3'],
  ...[
    '0.1',
    '-0.1',
    '0.5',
    '0.05',
    '-0.004',
    '0.995',
    '2.675',
    '-12.345',
    '148.5',
    '999.995',
    '1234.5678',
    '99.5',
    '0.00012345',
  ],
].map(text => `(${text} + 0 * b)`)

describe('TO_CHAR of numbers gives on DuckDB what PostgreSQL gives', () => {
  test.each([
    ...['999', '9', '0', '000', '9999999', '0999', '9990999.9', 'FM9990999.9', '999.9', '99.99', '9.9', '0.9'],
    ...['FM999', 'FM9.9', 'FM0.9', 'FM999.990', 'FM999.909', 'FM999.99', 'FM90.99', 'FM990.00', 'fm999'],
    ...['9,999', '0,999', '9,999,999', 'FM9,999,999.00', '9G999D99', 'FM999,999', '9g999d9', '99,99,99.9', '0,0,0'],
    ...['S999', '999S', 'FMS999', 'FM999S', 'S9,999.99', '9,999.99S', 's99', 'S0999', 'S9.9'],
    ...[
      'MI999',
      '999MI',
      'FM999MI',
      'FMMI999',
      '99.99MI',
      'PL999',
      '999PL',
      'FMPL999',
      '99.9PL',
      'SG999',
      '999SG',
      '9.9SG',
    ],
    ...['999PR', 'FM999PR', '9,999.99PR', '0.99pr', '999TH', '999th', 'FM999th', 'FM9,999TH', '99.9TH', 'FM9999999TH'],
    ...['RN', 'FMRN', 'rn', 'fmrn', '99V9', '99V99', '9V999', 'FM999V99', '0V9', '099V9', '9,999V9'],
    ...['9.99EEEE', '9EEEE', '0.9EEEE', '9.999999eeee', '99.9EEEE'],
    ...['"Good number:"999', '$999.99', '$ FM999', 'FM999%', '999 "%"', 'FM$9,999.00', '€ 0.00', '[9]', "'9'"],
  ])('%s', pattern => compare(numbers, pattern))

  test('any pattern and number', async () => {
    const digits = (letters: string, maxLength: number) =>
      fc.array(fc.constantFrom(...letters), { maxLength }).map(found => found.join(''))
    const sign = fc.constantFrom('', '', '', 'S', 'MI', 'PL', 'SG')
    const pattern = fc
      .tuple(
        fc.constantFrom('', '', '', '"a 1"', '$'),
        fc.constantFrom('', '', 'FM'),
        sign,
        fc.constantFrom('9', '0'),
        digits('999900,', 7),
        fc.oneof(
          fc.constant(''),
          digits('990', 5).map(found => (found === '' ? '' : `.${found}`)),
          fc.constantFrom('V9', 'V999'),
        ),
        fc.oneof(sign, fc.constantFrom('PR', 'TH', 'th')),
        fc.constantFrom('', '', '', ' %'),
      )
      .map(([before, bare, left, first, whole, rest, right, after]) => {
        const end = rest.startsWith('V') && right === 'S' ? '' : right
        const body = `${first}${whole.replace(/,+$/, '')}${rest}`
        return `${before}${bare}${left}${body}${left === '' ? end : ''}${after}`
      })
    const number = fc
      .tuple(fc.integer({ min: -20_000_000, max: 20_000_000 }), fc.integer({ min: 0, max: 7 }))
      .map(([whole, decimals]) => `(${(whole / 10 ** decimals).toFixed(decimals)} + 0 * b)`)
    const check = fc.asyncProperty(fc.array(number, { minLength: 4, maxLength: 8 }), pattern, compare)
    await fc.assert(check, { numRuns: runs })
  })

  test('whole numbers, sums and counts', async () => {
    const values = ['count(*)', 'sum(b)', 'count(*) * 1000', 'sum(a) / 3', 'max(b)']
    for (const pattern of ['FM9,999.00', '0000', 'S99.9', 'FM999TH', 'RN', '9.9EEEE', '999PR'])
      await compare(values, pattern)
  })

  test('nothing of a null', async () => {
    const text = `SELECT to_char(b, '999') FROM t WHERE id = 5`
    expect(await texts(databases.throughDuckDb, text)).toEqual([null])
  })
})

const times = [
  ...[
    '2024-01-01 00:00:00',
    '2024-02-29 23:59:59.999999',
    '2023-12-31 12:00:00.5',
    '2021-01-03 01:02:03.004',
    '1999-11-12 11:11:11.1',
  ],
  ...[
    '2000-10-22 13:33:21.000123',
    '0987-06-15 21:00:07',
    '2105-08-13 17:45:00',
    '2016-01-01 03:04:05',
    '1900-12-30 22:22:22.987654',
  ],
].map(text => `(TIMESTAMP '${text}' + INTERVAL '0 days')`)

const ofTimes = [
  ...[
    'YYYY',
    'YYY',
    'YY',
    'Y',
    'Y,YYY',
    'IYYY',
    'IYY',
    'IY',
    'I',
    'MM',
    'DDD',
    'DD',
    'D',
    'IDDD',
    'ID',
    'IW',
    'WW',
    'W',
    'Q',
  ],
  ...[
    'HH24',
    'HH12',
    'HH',
    'MI',
    'SSSSS',
    'SSSS',
    'SS',
    'MS',
    'US',
    'FF1',
    'FF2',
    'FF3',
    'FF4',
    'FF5',
    'FF6',
    'CC',
    'J',
  ],
]
const ofWords = [
  ...[
    'MONTH',
    'Month',
    'month',
    'MON',
    'Mon',
    'mon',
    'DAY',
    'Day',
    'day',
    'DY',
    'Dy',
    'dy',
    'AM',
    'pm',
    'A.M.',
    'p.m.',
  ],
  ...['AD', 'bc', 'B.C.', 'a.d.', 'RM', 'rm', 'TZ', 'tz'],
]

describe('TO_CHAR of times gives on DuckDB what PostgreSQL gives', () => {
  test.each(['', 'FM'])('every word alone, behind %j', async bare => {
    for (const word of ofWords) await compare(times, `${bare}${word}|`)
    for (const word of ofTimes) {
      for (const end of ['', 'TH', 'th'])
        await compare(times, `${bare}${word}${end}|${bare}${word.toLowerCase()}${end}`)
    }
  })

  test('any words in a row', async () => {
    const number = fc.tuple(
      fc.constantFrom(...ofTimes, ...ofTimes.map(word => word.toLowerCase())),
      fc.constantFrom('', '', '', 'TH', 'th'),
    )
    const word = fc.oneof(
      number.map(([name, end]) => name + end),
      fc.constantFrom(...ofWords.filter(found => found !== 'TZ' && found !== 'tz')),
    )
    const step = fc
      .tuple(
        fc.constantFrom('', '', 'FM'),
        word,
        fc.constantFrom('', ' ', '-', ':', '.', ', ', '" of "', '"%Y"', '|', "'"),
      )
      .map(parts => parts.join(''))
    const moment = fc
      .date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
      .map(date => `(TIMESTAMP '${date.toISOString().slice(0, -1)}' + INTERVAL '0 days')`)
    const pattern = fc.array(step, { minLength: 1, maxLength: 6 }).map(steps => steps.join(''))
    const check = fc.asyncProperty(fc.array(moment, { minLength: 2, maxLength: 5 }), pattern, compare)
    await fc.assert(check, { numRuns: runs })
  })
})
