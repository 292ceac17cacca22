import { expect, test } from 'vitest'
import { createDataFolder, openFolder } from '../../support/data-folder.ts'

/** expression, cell, type of the column, the database's name for it */
const conversions = [
  ['true', true, 'boolean', 'BOOLEAN'],
  ['NULL::BOOLEAN', null, 'boolean', 'BOOLEAN'],
  ['127::TINYINT', '127', 'integer', 'TINYINT'],
  ['(-32768)::SMALLINT', '-32768', 'integer', 'SMALLINT'],
  ['42', '42', 'integer', 'INTEGER'],
  ['9223372036854775807', '9223372036854775807', 'integer', 'BIGINT'],
  ['18446744073709551615::UBIGINT', '18446744073709551615', 'integer', 'UBIGINT'],
  [
    '(-170141183460469231731687303715884105728)::HUGEINT',
    '-170141183460469231731687303715884105728',
    'integer',
    'HUGEINT',
  ],
  [
    '340282366920938463463374607431768211455::UHUGEINT',
    '340282366920938463463374607431768211455',
    'integer',
    'UHUGEINT',
  ],
  [
    "'123456789012345678901234567890123456789012345'::BIGNUM",
    '123456789012345678901234567890123456789012345',
    'integer',
    'BIGNUM',
  ],
  ['sum(a) FROM range(4) r(a)', '6', 'integer', 'HUGEINT'],
  ['1.50::DECIMAL(18,2)', '1.50', 'decimal', 'DECIMAL(18,2)'],
  ['(-0.05)::DECIMAL(4,2)', '-0.05', 'decimal', 'DECIMAL(4,2)'],
  [
    "'12345678901234567890123456789012345.678'::DECIMAL(38,3)",
    '12345678901234567890123456789012345.678',
    'decimal',
    'DECIMAL(38,3)',
  ],
  ['0.1::DOUBLE + 0.2::DOUBLE', '0.30000000000000004', 'double', 'DOUBLE'],
  ['1e21::DOUBLE', '1e+21', 'double', 'DOUBLE'],
  ['1e20::DOUBLE', '100000000000000000000', 'double', 'DOUBLE'],
  ["'-0'::DOUBLE", '0', 'double', 'DOUBLE'],
  ["'nan'::DOUBLE", null, 'double', 'DOUBLE'],
  ["'inf'::DOUBLE", null, 'double', 'DOUBLE'],
  ["'-inf'::FLOAT", null, 'double', 'FLOAT'],
  ['0.1::FLOAT', '0.1', 'double', 'FLOAT'],
  ['16777217::FLOAT', '16777216', 'double', 'FLOAT'],
  ["'3.4028234663852886e38'::FLOAT", '3.4028235e+38', 'double', 'FLOAT'],
  ["'it''s ü'", "it's ü", 'string', 'VARCHAR'],
  ["''", '', 'string', 'VARCHAR'],
  ["'a'::ENUM('a', 'b')", 'a', 'string', "ENUM('a', 'b')"],
  ["'0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'::UUID", '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0', 'string', 'UUID'],
  ["DATE '2001-06-30'", '2001-06-30T00:00:00.000', 'date', 'DATE'],
  ["DATE '1582-10-15'", '1582-10-15T00:00:00.000', 'date', 'DATE'],
  ["'infinity'::DATE", null, 'date', 'DATE'],
  ["TIMESTAMP '2001-06-30 23:59:59.999999'", '2001-06-30T23:59:59.999', 'timestamp', 'TIMESTAMP'],
  ["TIMESTAMP '1969-12-31 23:59:59.9995'", '1969-12-31T23:59:59.999', 'timestamp', 'TIMESTAMP'],
  ["TIMESTAMP '0001-01-01 00:00:00'", '0001-01-01T00:00:00.000', 'timestamp', 'TIMESTAMP'],
  ["'-infinity'::TIMESTAMP", null, 'timestamp', 'TIMESTAMP'],
  ["TIMESTAMP '290000-01-01 00:00:00'", '290000-01-01 00:00:00', 'timestamp', 'TIMESTAMP'],
  ["TIMESTAMP_S '2001-06-30 12:00:00'", '2001-06-30T12:00:00.000', 'timestamp', 'TIMESTAMP_S'],
  ["TIMESTAMP_MS '2001-06-30 12:00:00.123'", '2001-06-30T12:00:00.123', 'timestamp', 'TIMESTAMP_MS'],
  ["TIMESTAMP_NS '2001-06-30 12:00:00.123456789'", '2001-06-30T12:00:00.123', 'timestamp', 'TIMESTAMP_NS'],
  ["TIMESTAMPTZ '2001-06-30 12:00:00+02'", '2001-06-30T10:00:00.000', 'timestamp', 'TIMESTAMP WITH TIME ZONE'],
  [
    "date_trunc('day', TIMESTAMPTZ '2001-06-30 01:00:00+02')",
    '2001-06-29T00:00:00.000',
    'timestamp',
    'TIMESTAMP WITH TIME ZONE',
  ],
  ["TIME '12:34:56.789'", '12:34:56.789', 'time', 'TIME'],
  ["INTERVAL '1 month 2 days'", '1 month 2 days', 'interval', 'INTERVAL'],
  ["'\\x00ab'::BLOB", '\\x00ab', 'binary', 'BLOB'],
  ["'0101'::BIT", '0101', 'binary', 'BIT'],
  ['NULL', null, 'integer', 'INTEGER'],
  [`'{"a": 1}'::JSON`, '{"a": 1}', 'json', 'JSON'],
  ['[1, NULL, 3]', '[1,null,3]', 'json', 'INTEGER[]'],
  ['[9223372036854775807]', '[9223372036854775807]', 'json', 'BIGINT[]'],
  ["['a', 'b\"c']", '["a","b\\"c"]', 'json', 'VARCHAR[]'],
  ["[DATE '2001-01-01']", '["2001-01-01T00:00:00.000"]', 'json', 'DATE[]'],
  ["['nan'::DOUBLE, 1.5::DOUBLE]", '[null,1.5]', 'json', 'DOUBLE[]'],
  ['array_value(1, 2)', '[1,2]', 'json', 'INTEGER[2]'],
  [
    "{'a': 1.50, 'b': {'c': [true]}}",
    '{"a":1.50,"b":{"c":[true]}}',
    'json',
    'STRUCT("a" DECIMAL(3,2), "b" STRUCT("c" BOOLEAN[]))',
  ],
  ["MAP {'k': 1, 'l': 2}", '{"k":1,"l":2}', 'json', 'MAP(VARCHAR, INTEGER)'],
  ['union_value(n := 7)', '7', 'json', 'UNION("n" INTEGER)'],
  ['NULL::INTEGER[]', null, 'json', 'INTEGER[]'],
] as const

test.for(conversions)('%s becomes %j', async ([expression, cell, type, databaseType]) => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const { columns, rows } = await query(`SELECT ${expression}`)
  expect(rows).toEqual([[cell]])
  expect(columns).toMatchObject([{ type, databaseType }])
})

test('every type that DuckDB has becomes text, a boolean or null that JSON can hold', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const { columns, rows } = await query('SELECT * FROM test_all_types()')
  expect(columns.length).toBeGreaterThan(50)
  expect(rows).toHaveLength(3)
  expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
  for (const cell of rows.flat()) expect(['string', 'boolean', 'object']).toContain(typeof cell)
  const json = columns.flatMap(({ type }, index) => (type === 'json' ? [index] : []))
  for (const row of rows) for (const index of json) expect(() => JSON.parse(String(row[index]))).not.toThrow()
})

test('columns keep their order and their names, equal ones too', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const { columns, rows } = await query('SELECT 1 AS "a.b", 2 AS "a.b", 3 AS "Ä"')
  expect(columns.map(({ name }) => name)).toEqual(['a.b', 'a.b', 'Ä'])
  expect(rows).toEqual([['1', '2', '3']])
})

test('an empty result has its columns', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  expect(await query('SELECT 1 AS one WHERE false')).toEqual({
    columns: [{ name: 'one', type: 'integer', databaseType: 'INTEGER' }],
    rows: [],
  })
})
