import { describe, expect, test } from 'vitest'
import { countryRegions, plainName, stateRegions } from '../../src/maps/regions.ts'
import type { Cell, Column } from '../../src/results/result.ts'
import { columnWidths } from '../../src/tables/column-widths.ts'
import { type GridCursor, moveCursor, selectedRange } from '../../src/tables/grid-cursor.ts'
import { nextSorting, sortRows } from '../../src/tables/sort-rows.ts'
import { safeStyle } from '../../src/text/safe-style.ts'

const column = (type: Column['type']): Column => ({ name: 'a', title: 'A', type })
const sorted = (type: Column['type'], cells: readonly Cell[], descending = false, locale = 'en-US') =>
  sortRows({ columns: [column(type)], rows: cells.map(cell => [cell]) }, { column: 0, descending }, locale).map(
    at => cells[at],
  )

describe('rows in order', () => {
  test('numbers by value, also as text; without a value last, either way', () => {
    expect(sorted('number', ['10', null, '9', '-1', ''])).toEqual(['-1', '9', '10', null, ''])
    expect(sorted('number', ['10', null, '9', '-1'], true)).toEqual(['10', '9', '-1', null])
  })

  test('texts as the language has them', () => {
    expect(sorted('string', ['Ö', 'Z', 'A', 'a10', 'a9'], false, 'sv-SE')).toEqual(['A', 'a9', 'a10', 'Z', 'Ö'])
    expect(sorted('string', ['Ö', 'Z', 'O'], false, 'de-DE')).toEqual(['O', 'Ö', 'Z'])
  })

  test('equal ones stay as they were', () => {
    const rows = [
      ['b', 1],
      ['a', 1],
      ['c', 0],
    ]
    expect(
      sortRows({ columns: [column('string'), column('number')], rows }, { column: 1, descending: true }, 'en-US'),
    ).toEqual([0, 1, 2])
  })

  test('a title goes up, down and back; numbers the other way', () => {
    const up = nextSorting(null, 0, false)
    expect([up, nextSorting(up, 0, false)]).toEqual([
      { column: 0, descending: false },
      { column: 0, descending: true },
    ])
    expect(nextSorting({ column: 0, descending: true }, 0, false)).toBeNull()
    expect(nextSorting(null, 0, true)).toEqual({ column: 0, descending: true })
  })
})

describe('keys of a grid', () => {
  const size = { rows: 100, columns: 5, page: 10 }
  const at = (row: number, col: number): GridCursor => ({ active: { row, column: col }, anchor: { row, column: col } })
  const press = (cursor: GridCursor, key: string, more: { ctrl?: boolean; shift?: boolean } = {}) =>
    moveCursor(cursor, { key, ctrl: more.ctrl ?? false, shift: more.shift ?? false }, size)

  test.each<[string, object, readonly [number, number]]>([
    ['ArrowDown', {}, [6, 2]],
    ['ArrowUp', {}, [4, 2]],
    ['PageDown', {}, [15, 2]],
    ['Home', {}, [5, 0]],
    ['End', {}, [5, 4]],
    ['End', { ctrl: true }, [99, 4]],
    ['Home', { ctrl: true }, [0, 0]],
  ])('%s %j', (key, more, [row, col]) => {
    expect(press(at(5, 2), key, more)).toEqual(at(row, col))
  })

  test('the titles are above the first row, and nothing is beyond the edges', () => {
    expect(press(at(0, 0), 'ArrowUp')).toEqual(at(-1, 0))
    expect(press(at(-1, 0), 'ArrowUp')).toEqual(at(-1, 0))
    expect(press(at(99, 4), 'ArrowRight')).toEqual(at(99, 4))
    expect(press(at(5, 2), 'x')).toBeNull()
  })

  test('with Shift the selection grows from where it began, without the titles', () => {
    const grown = press(press(at(1, 1), 'ArrowUp', { shift: true }) ?? at(0, 0), 'ArrowUp', { shift: true })
    expect(grown && selectedRange(grown)).toEqual({ top: 0, bottom: 1, left: 1, right: 1 })
    const all = press(at(5, 2), 'a', { ctrl: true })
    expect(all && selectedRange(all)).toEqual({ top: 0, bottom: 99, left: 0, right: 4 })
  })
})

test('columns fit what they hold, share the room that is left and keep what was drawn', () => {
  const columns = [column('string'), column('string')]
  const formats = [String, String]
  const rows = [['a', 'a text that is rather longer']]
  const [narrow = 0, wide = 0] = columnWidths({ columns, rows }, formats, 0, new Map())
  expect(wide).toBeGreaterThan(narrow)
  const shared = columnWidths({ columns, rows }, formats, 1000, new Map())
  expect(shared.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(990)
  expect(columnWidths({ columns, rows }, formats, 1000, new Map([[0, 80]]))[0]).toBe(80)
})

describe('places by name', () => {
  test('countries in English, in the viewer’s language, by code', () => {
    const german = countryRegions('de-DE')
    for (const name of ['Deutschland', 'Germany', 'DE', 'deu']) expect(german.get(plainName(name)), name).toBe(276)
    const english = countryRegions('en-US')
    for (const name of ['Côte d’Ivoire', "Cote d'Ivoire", 'Ivory Coast'])
      expect(english.get(plainName(name)), name).toBe(384)
    expect(english.get(plainName('United States of America'))).toBe(840)
    expect(english.get(plainName('Atlantis'))).toBeUndefined()
    // Each of the map has a number of its own.
    expect(new Set(english.values()).size).toBe(174)
  })

  test('states of the US', () => {
    const states = stateRegions()
    expect([states.get('ca'), states.get('us ca'), states.get('california'), states.size > 150]).toEqual([
      6,
      6,
      6,
      true,
    ])
  })
})

test('styles that load something or leave their place are passed over', () => {
  const style = safeStyle(
    'color: red; background:url(https://evil.example); position:fixed; width: calc(1px); font-weight:700 !important; --x: 1; color:\\65 xpression(1); margin-top:4px',
  )
  expect(style).toEqual({ color: 'red', width: 'calc(1px)', fontWeight: '700', marginTop: '4px' })
})
