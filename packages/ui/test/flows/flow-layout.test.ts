import { describe, expect, test } from 'vitest'
import { flowColumns, layFlows } from '../../src/flows/flow-layout.ts'

const column = (name: string, type: 'string' | 'number') => ({ name, title: name, type }) as const
const columns = [column('from', 'string'), column('to', 'string'), column('count', 'number')]
const result = {
  columns,
  rows: [
    ['search', 'shop', 60],
    ['search', 'blog', '20'],
    ['mail', 'shop', 20],
    ['mail', null, 0],
    ['mail', 'shop', -3],
  ],
}

describe('flows', () => {
  test('are as wide as their share, and stand apart at both ends without a gap or an overlap', () => {
    const layout = layFlows(result, 400, 200)
    expect(layout?.leftOut).toBe(2)
    const flows = layout?.flows ?? []
    expect(flows.map(({ from, to, value }) => [from.name, to.name, value])).toEqual([
      ['search', 'shop', 60],
      ['mail', 'shop', 20],
      ['search', 'blog', 20],
    ])
    const shop = layout?.nodes.find(({ name }) => name === 'shop')
    const into = flows.filter(({ to }) => to.name === 'shop')
    expect(into.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(shop?.height ?? 0)
    expect(into[1]?.y1).toBeCloseTo((into[0]?.y1 ?? 0) + (into[0]?.width ?? 0))
    for (const { y, height } of layout?.nodes ?? []) expect(y + height).toBeLessThanOrEqual(200.001)
  })

  test('that go in a circle go on to the next level', () => {
    const layout = layFlows(
      {
        columns,
        rows: [
          ['a', 'b', 1],
          ['b', 'a', 1],
        ],
      },
      400,
      200,
    )
    expect(layout?.nodes.map(({ name, level }) => `${name}${level}`).sort()).toEqual(['a0', 'a1', 'b0', 'b1'])
  })

  test('need two columns of names and a figure', () => {
    expect(flowColumns({ columns: columns.slice(1), rows: [] })).toBeNull()
    expect(layFlows({ columns: columns.slice(0, 2), rows: [] }, 400, 200)).toBeNull()
  })

  test('of more names than can be told apart are not drawn', () => {
    const rows = Array.from({ length: 300 }, (_, at) => [`a${at}`, 'b', 1])
    expect(layFlows({ columns, rows }, 400, 200)).toMatchObject({ isTooMuch: true, nodes: [] })
  })
})
