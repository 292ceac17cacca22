import { describe, expect, test } from 'vitest'
import { unprovenFigures } from '../../src/dashboard/summary/proven-figures.ts'

const column = (name: string, type: 'string' | 'number') => ({ name, title: name, type }) as const
const result = {
  columns: [column('category', 'string'), column('revenue', 'number')],
  rows: [
    ['Books 2', '1234.5'],
    ['Games', 800],
    ['Toys', 400],
  ],
}
const unproven = (text: string, spoken: string[] = []) => unprovenFigures(text, [result], spoken)

describe('a figure of a summary', () => {
  test.each([
    ['a cell', 'Games made 800.'],
    ['a cell that is rounded', 'Books made 1,235, about 1.2k.'],
    ['a cell as another language writes it', 'Bücher: 1.234,5'],
    ['a sum', 'Together 2,434.5'],
    ['a share', 'Games are 32.9 % of all'],
    ['a difference and a ratio', 'Games are 400 ahead of toys, 100 % more, 2 times'],
    ['a number of rows', 'All 3 of them'],
    ['a name', 'Books 2 leads'],
    ['something that was asked for', 'In 2025 it was so'],
  ])('that is %s is proven', (_, text) => {
    expect(unproven(text, ['How was 2025?'])).toEqual([])
  })

  test('that no row and no arithmetic gives is told', () => {
    expect(unproven('Games made 801, up 17 % since 2019')).toEqual(['801', '17 %', '2019'])
    expect(unprovenFigures('It was 5', [], [])).toEqual(['5'])
  })
})
