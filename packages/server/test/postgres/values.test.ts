import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeParameter } from '../../src/postgres/values/decode-parameter.ts'
import { cellEncoder } from '../../src/postgres/values/encode-value.ts'

/** What binary form makes of a text. */
function there(oid: number, text: string): string {
  const bytes = cellEncoder(oid, 1)(text)
  if (!Buffer.isBuffer(bytes)) throw new Error('no bytes')
  return decodeParameter(oid, 1, bytes)
}

const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }))
  .map(([negative, digits, scale]) => {
    const padded = digits.toString().padStart(scale + 1, '0')
    const text = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`
    return negative && digits > 0n ? `-${text}` : text
  })

test('decimals keep all their digits in binary form', () => {
  fc.assert(
    fc.property(decimal, text => {
      expect(there(1700, text)).toBe(text)
    }),
  )
})

test('64-bit integers, floats, moments and dates come back as they were', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), value => {
      expect(there(20, String(value))).toBe(String(value))
    }),
  )
  fc.assert(
    fc.property(fc.double({ noNaN: true }), value => {
      expect(Number(there(701, String(value)))).toBe(Number(String(value)))
    }),
  )
  for (const text of ['1999-12-31 23:59:59.999', '2024-02-29 00:00:00', '2000-01-01 00:00:00.000001']) {
    expect(there(1114, text)).toBe(text)
  }
  expect(there(1082, '1969-07-20')).toBe('1969-07-20')
})

test('arrays keep NULL, quotes and braces', () => {
  expect(there(1009, '{a,NULL,"b,\\"c","{}"}')).toBe('{a,NULL,"b,\\"c","{}"}')
  expect(there(1007, '{1,2,-3}')).toBe('{1,2,-3}')
})

test('text forms are as PostgreSQL writes them', () => {
  expect(cellEncoder(1114, 0)('2024-01-02T03:04:05.600')).toBe('2024-01-02 03:04:05.6')
  expect(cellEncoder(1114, 0)('2024-01-02T00:00:00.000')).toBe('2024-01-02 00:00:00')
  expect(cellEncoder(1082, 0)('2024-01-02T00:00:00.000')).toBe('2024-01-02')
  expect(cellEncoder(16, 0)(true)).toBe('t')
  expect(cellEncoder(1700, 0)('10.50')).toBe('10.50')
})

test('bytes that are no value are refused', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(16, 20, 23, 701, 1700, 1114, 1082, 1007, 2950),
      (bytes, oid) => {
        try {
          expect(typeof decodeParameter(oid, 1, Buffer.from(bytes))).toBe('string')
        } catch (error) {
          expect(error).toHaveProperty('code')
        }
      },
    ),
  )
})
