import { describe, expect, test } from 'vitest'
import { primaryKeyOf } from '../../src/dbt/keys.ts'
import { typeOf } from '../../src/dbt/member-type.ts'
import { readOptions } from '../../src/dbt/options.ts'
import { readManifest } from '../../src/dbt/read-manifest.ts'
import { checkRef, syncBranchName } from '../../src/dbt/ref.ts'
import { columnTest, manifestOf } from './manifests.ts'

describe('the type of a dimension', () => {
  test.each([
    ...['int', 'INTEGER', 'bigint', 'Int64', 'UInt8', 'number(38,0)', 'NUMERIC(12, 2)', 'decimal', 'double precision'],
    ...['float64', 'real', 'money', 'BIGNUMERIC', 'Nullable(Int64)', 'Nullable(Decimal(10, 2))', 'bigint unsigned'],
  ])('%s is a number', dataType => expect(typeOf({ name: 'x', dataType })).toBe('number'))

  test.each([
    ...['date', 'timestamp', 'TIMESTAMP_NTZ(9)', 'timestamp with time zone', 'timestamp(6) without time zone'],
    ...['datetime', 'DateTime64(3)', 'timestamptz', 'Nullable(Date32)'],
  ])('%s is a time', dataType => expect(typeOf({ name: 'x', dataType })).toBe('time'))

  test.each(['bool', 'BOOLEAN'])('%s is a boolean', dataType => expect(typeOf({ name: 'x', dataType })).toBe('boolean'))

  test.each([
    ...['text', 'varchar(10)', 'json', 'jsonb', 'VARIANT', 'ARRAY<INT64>', 'integer[]', 'struct<a int>', 'uuid'],
    ...['interval', 'time', 'bytes', 'Map(String, Int64)', 'pointer'],
  ])('%s is text', dataType => expect(typeOf({ name: 'count_id', dataType })).toBe('string'))

  test.each([
    ['id', 'number'],
    ['CUSTOMER_ID', 'number'],
    ['created_at', 'time'],
    ['order_date', 'time'],
    ['date', 'time'],
    ['updated', 'string'],
    ['valid', 'string'],
    ['flat', 'string'],
  ])('without a declared one %s is a %s by its name', (name, type) => {
    expect(typeOf({ name, dataType: null })).toBe(type)
  })
})

describe('the key of a cube', () => {
  const keyOf = (
    name: string,
    columns: readonly string[],
    { constraints = [], tests = [] }: { constraints?: readonly object[]; tests?: readonly object[] } = {},
  ) => {
    const manifest = manifestOf(
      { [name]: { columns: Object.fromEntries(columns.map(column => [column, {}])), constraints } },
      { tests },
    )
    const [model] = readManifest(manifest).models
    if (model === undefined) throw new Error('there is no model')
    return primaryKeyOf(model, readOptions({}))
  }
  const primary = (...columns: string[]) => ({ constraints: [{ type: 'primary_key', columns }] })

  test('is its constraint, all of its columns or none', () => {
    expect(keyOf('items', ['order_id', 'line'], primary('order_id', 'line'))).toEqual(['order_id', 'line'])
    expect(keyOf('items', ['order_id', 'id'], primary('order_id', 'line'))).toEqual(['id'])
  })

  test.each([
    ['orders', ['id', 'order_id'], 'order_id'],
    ['categories', ['id', 'category_id'], 'category_id'],
    ['stg_orders', ['order_id'], 'order_id'],
    ['fct_orders', ['ORDER_ID'], 'ORDER_ID'],
    ['address', ['address_id'], 'address_id'],
    ['status', ['status_id', 'statu_id'], 'status_id'],
    ['orders', ['id'], 'id'],
  ])('of %s with %j is %s by name', (name, columns, key) => expect(keyOf(name, columns)).toEqual([key]))

  test('is never a column that only ends like one: it would make wrong sums', () => {
    expect(keyOf('orders', ['customer_id', 'shop_id'])).toEqual([])
  })

  test('of two tested columns is the one named after the model', () => {
    const tests = ['ref', 'order_id'].flatMap(column => [
      columnTest('orders', column, 'unique'),
      columnTest('orders', column, 'not_null'),
    ])
    expect(keyOf('orders', ['ref', 'order_id'], { tests })).toEqual(['order_id'])
  })
})

describe('names of branches', () => {
  const at = new Date('2026-08-17T14:10:42Z')
  test.each([
    ['release/2026.08', 'dbt-sync/release-2026.08-20260817141042-5800f094'],
    ['refs/heads/main', 'dbt-sync/refs-heads-main-20260817141042-5800f094'],
    ['#12 Über~x', 'dbt-sync/12--ber-x-20260817141042-5800f094'],
    ['x'.repeat(60), `dbt-sync/${'x'.repeat(40)}-20260817141042-5800f094`],
    ['...', 'dbt-sync/sync-20260817141042-5800f094'],
  ])('of %s', (ref, name) => expect(syncBranchName(ref, at, '5800f094')).toBe(name))

  test.each(['main', 'v1.2', 'feature/x', 'a@b', 'ä'])('the ref %s is one', ref =>
    expect(() => checkRef(ref)).not.toThrow(),
  )
  test.each([
    '',
    ' ',
    'a'.repeat(40),
    'A'.repeat(64),
    '-x',
    'a..b',
    'a b',
    'a~1',
    '/a',
    'a/',
    'a.lock',
    '@',
    'a\u0000',
  ])('the ref %j is none', ref => expect(() => checkRef(ref)).toThrow())
})
