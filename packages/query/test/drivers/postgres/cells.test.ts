import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPostgres } from '../../support/postgres.ts'

let postgres: Awaited<ReturnType<typeof createPostgres>>
beforeAll(async () => {
  postgres = await createPostgres()
  await postgres.administer("CREATE TYPE mood AS ENUM ('calm', 'wild')")
})
afterAll(() => postgres.close())

/** expression, cell, type of the column, the database's name for it */
const conversions = [
  ['true', true, 'boolean', 'boolean'],
  ['false', false, 'boolean', 'boolean'],
  ['NULL::boolean', null, 'boolean', 'boolean'],
  ['(-32768)::int2', '-32768', 'integer', 'smallint'],
  ['42', '42', 'integer', 'integer'],
  ['9223372036854775807', '9223372036854775807', 'integer', 'bigint'],
  ['count(*) FROM generate_series(1, 3)', '3', 'integer', 'bigint'],
  ['sum(a) FROM generate_series(1::bigint, 3) r(a)', '6', 'decimal', 'numeric'],
  ['1.50::numeric(18,2)', '1.50', 'decimal', 'numeric'],
  [
    "'12345678901234567890123456789012345.678'::numeric",
    '12345678901234567890123456789012345.678',
    'decimal',
    'numeric',
  ],
  ["'NaN'::numeric", null, 'decimal', 'numeric'],
  ["'-Infinity'::numeric", null, 'decimal', 'numeric'],
  ['0.1::float8 + 0.2::float8', '0.30000000000000004', 'double', 'double precision'],
  ['1e21::float8', '1e+21', 'double', 'double precision'],
  ['1e20::float8', '100000000000000000000', 'double', 'double precision'],
  ["'NaN'::float8", null, 'double', 'double precision'],
  ["'-Infinity'::float4", null, 'double', 'real'],
  ['0.1::float4', '0.1', 'double', 'real'],
  ["'it''s ü€😀'", "it's ü€😀", 'string', 'text'],
  ["'x'::varchar(3)", 'x', 'string', 'character varying'],
  ["'x'::char(3)", 'x  ', 'string', 'character'],
  ["'calm'::mood", 'calm', 'string', expect.stringMatching(/^type \d+$/)],
  ["'00112233-4455-6677-8899-aabbccddeeff'::uuid", '00112233-4455-6677-8899-aabbccddeeff', 'string', 'uuid'],
  ["date '2024-02-29'", '2024-02-29T00:00:00.000', 'date', 'date'],
  ["date 'infinity'", null, 'date', 'date'],
  ["date '0044-03-15 BC'", '0044-03-15 BC', 'date', 'date'],
  ["timestamp '2024-02-29 23:59:59.999999'", '2024-02-29T23:59:59.999', 'timestamp', 'timestamp'],
  ["timestamp '2024-02-29 00:00:00'", '2024-02-29T00:00:00.000', 'timestamp', 'timestamp'],
  ["timestamp '-infinity'", null, 'timestamp', 'timestamp'],
  ["timestamptz '2024-03-31 01:30:00.5+05:45'", '2024-03-30T19:45:00.500', 'timestamp', 'timestamp with time zone'],
  ["time '23:59:59.5'", '23:59:59.5', 'time', 'time'],
  ["interval '1 month 2 days'", '1 mon 2 days', 'interval', 'interval'],
  ["'\\xdeadbeef'::bytea", '\\xdeadbeef', 'binary', 'bytea'],
  ['\'{"a": 1.10}\'::json', '{"a": 1.10}', 'json', 'json'],
  ["'[1, 2]'::jsonb", '[1, 2]', 'json', 'jsonb'],
  ['array[9223372036854775807, NULL]', '[9223372036854775807,null]', 'json', 'bigint[]'],
  ["array['a\"b', NULL, '']", '["a\\"b",null,""]', 'json', 'text[]'],
  ['array[[1, 2], [3, 4]]', '[[1,2],[3,4]]', 'json', 'integer[]'],
  ['array[true, false]', '[true,false]', 'json', 'boolean[]'],
  ["array[date '2024-01-31']", '["2024-01-31T00:00:00.000"]', 'json', 'date[]'],
] as const

test.for(conversions)('%s', async ([expression, cell, type, databaseType]) => {
  const { query } = await postgres.open()
  const { columns, rows } = await query(`SELECT ${expression}`)
  expect({ cell: rows[0]?.[0], type: columns[0]?.type, databaseType: columns[0]?.databaseType }).toEqual({
    cell,
    type,
    databaseType,
  })
})

test('a role that writes moments and numbers in its own way makes no difference', async () => {
  await postgres.administer(
    `ALTER DATABASE "${postgres.variables.CUBEJS_DB_NAME}" SET DateStyle = 'German'; ALTER DATABASE "${postgres.variables.CUBEJS_DB_NAME}" SET TimeZone = 'Asia/Kathmandu'`,
  )
  const { query } = await postgres.open()
  const { rows } = await query("SELECT timestamptz '2024-01-01 00:00:00Z', date '2024-01-31'")
  expect(rows).toEqual([['2024-01-01T00:00:00.000', '2024-01-31T00:00:00.000']])
})
