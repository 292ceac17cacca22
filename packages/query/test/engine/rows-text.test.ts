import { describe, expect, test } from 'vitest'
import { readRowsText, writeRowsText } from '../../src/engine/rows-text.ts'
import type { Cell } from '../../src/shapes/query.ts'

const roundTrip = (rows: readonly (readonly Cell[])[]) => readRowsText(`x${writeRowsText(rows)}`, 1)

describe('rows as text', () => {
  test.each<readonly [string, Cell[][]]>([
    [
      'every kind of cell',
      [
        ['1', null, true],
        ['', 'null', false],
      ],
    ],
    ['one empty text', [['']]],
    [
      'empty texts at the end',
      [
        ['a', ''],
        ['', ''],
      ],
    ],
    ['other alphabets', [['ünï', '漢字', '👩‍🚀', '\u0000', '\n"\\']]],
    [
      'digits of one character',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'nulls alone',
      [
        [null, null],
        [null, null],
      ],
    ],
  ])('keep %s', (_, rows) => {
    expect(roundTrip(rows)).toEqual(rows)
  })

  test.each(['\u0001', '\u0002', '\u0003', '\u0004', 'a\u0001b'])(
    'are not written so with a mark in a text: %j',
    text => {
      expect(writeRowsText([['a', text]])).toBeUndefined()
    },
  )

  test('are not written so without rows or columns', () => {
    expect([writeRowsText([]), writeRowsText([[], []])]).toEqual([undefined, undefined])
  })
})
