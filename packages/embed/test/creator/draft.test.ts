import { describe, expect, test } from 'vitest'
import { addWidget, columns, placeBy } from '../../src/creator/draft.ts'

describe('a draft', () => {
  test('gets new widgets where nothing lies, each with an id of its own', () => {
    let draft = {}
    for (const type of ['CHART', 'TEXT', 'FILTER', 'CHART'] as const) ({ draft } = addWidget(draft, type, {}))
    const { widgets } = Object(draft)
    expect(widgets.map(({ id }: { id: string }) => id)).toEqual(['widget-1', 'widget-2', 'widget-3', 'widget-4'])
    const cells = widgets.flatMap(({ position: { x, y, w, h } }: { position: Record<'x' | 'y' | 'w' | 'h', number> }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})

test.each([
  [{ x: -1 }, { x: 0, y: 0, w: 6, h: 4 }],
  [{ x: 20 }, { x: 6, y: 0, w: 6, h: 4 }],
  [{ w: 20 }, { x: 0, y: 0, w: columns, h: 4 }],
  [{ h: -9 }, { x: 0, y: 0, w: 6, h: 1 }],
])('a widget that is moved or resized by %o stays within the grid', (by, expected) => {
  expect(placeBy({ x: 0, y: 0, w: 6, h: 4 }, by)).toEqual(expected)
})
