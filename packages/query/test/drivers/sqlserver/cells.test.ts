import { expect, test } from 'vitest'
import { columnOf, createCellWriter } from '../../../src/drivers/sqlserver/cells.ts'

/** What the client gives for a value of each type (tediousjs.github.io/tedious/api-datatypes.html). */
const field = (name: string, more = {}) => ({ colName: 'v', type: { name }, ...more })

test.for([
  [field('BigInt'), '9223372036854775807', 'integer', 'bigint', '9223372036854775807'],
  [field('IntN', { dataLength: 8 }), '9223372036854775807', 'integer', 'bigint', '9223372036854775807'],
  [field('IntN', { dataLength: 4 }), 7, 'integer', 'int', '7'],
  [field('BitN'), true, 'boolean', 'bit', true],
  [field('DecimalN', { precision: 18, scale: 3 }), 1234567.1, 'decimal', 'decimal(18,3)', '1234567.100'],
  [field('MoneyN'), -0.1, 'decimal', 'money', '-0.1000'],
  [field('FloatN', { dataLength: 8 }), 0.1, 'double', 'float', '0.1'],
  [field('FloatN', { dataLength: 4 }), Math.fround(0.1), 'double', 'float', '0.1'],
  [field('NVarChar'), 'ä', 'string', 'nvarchar', 'ä'],
  [field('Date'), new Date('2024-02-29T00:00:00Z'), 'date', 'date', '2024-02-29T00:00:00.000'],
  [field('DateTime2'), new Date('2024-02-29T10:00:00.123Z'), 'timestamp', 'datetime2', '2024-02-29T10:00:00.123'],
  [
    field('DateTimeOffset'),
    new Date('2024-07-01T12:00:00+02:00'),
    'timestamp',
    'datetimeoffset',
    '2024-07-01T10:00:00.000',
  ],
  [field('Time'), new Date('1970-01-01T10:00:00.5Z'), 'time', 'time', '10:00:00.500'],
  [field('VarBinary'), Buffer.from([0, 255]), 'binary', 'varbinary', '0x00ff'],
  [field('Int'), null, 'integer', 'int', null],
] as const)('%j', ([given, value, type, databaseType, cell]) => {
  expect(columnOf(given)).toEqual({ name: 'v', type, databaseType })
  expect(createCellWriter(given)(value)).toBe(cell)
})

test('a decimal that a double cannot hold is an error and never another number', () => {
  const write = createCellWriter(field('NumericN', { precision: 38, scale: 2 }))
  expect(write(12_345_678_901_234.5)).toBe('12345678901234.50')
  expect(() => write(Number('90071992547409930'))).toThrow('Column "v" holds a decimal of more than 15 digits')
})
