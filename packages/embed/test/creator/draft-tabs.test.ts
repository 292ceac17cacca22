import type { DashboardConfig } from '@hedron/contract'
import { describe, expect, test } from 'vitest'
import { addWidget, moveInto } from '../../src/creator/draft.ts'
import {
  changeTabs,
  heldBy,
  newTab,
  placeOf,
  placesFor,
  removeWidget,
  reordered,
  tabsIn,
  widgetsAt,
} from '../../src/creator/draft-tabs.ts'

const position = { x: 0, y: 0, w: 6, h: 4 }
const one = { containerId: 'tabs', tabId: 'one' }
const two = { containerId: 'tabs', tabId: 'two' }
const text = (id: string) => ({ id, type: 'TEXT' as const, position, config: { content: id } })
const draft: DashboardConfig = {
  widgets: [
    {
      id: 'tabs',
      type: 'CONTAINER',
      position: { x: 0, y: 4, w: 12, h: 12 },
      config: {
        tabs: [
          { id: 'one', title: 'One', widgetIds: ['a', 'b'], color: 'red' },
          { id: 'two', title: 'Two', widgetIds: ['c'] },
        ],
      },
    },
    text('a'),
    text('b'),
    text('c'),
    text('free'),
  ],
}
const tabsOf = (given: DashboardConfig) => tabsIn(given.widgets?.find(({ id }) => id === 'tabs') ?? text(''))
const idsOf = (given: DashboardConfig) => (given.widgets ?? []).map(({ id }) => id)

describe('tabs of a draft', () => {
  test('hold widgets, each in one place', () => {
    expect(['a', 'c', 'free', 'tabs'].map(id => placeOf(draft, id))).toEqual([one, two, null, null])
    expect(widgetsAt(draft, one).map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('take a widget from another tab or the page, where nothing lies, and give it back', () => {
    const moved = moveInto(moveInto(draft, 'a', two, null), 'free', two, { x: 40, y: 3 })
    expect(tabsOf(moved).map(({ widgetIds }) => widgetIds)).toEqual([['b'], ['c', 'a', 'free']])
    const places = new Map(moved.widgets?.map(widget => [widget.id, widget.position]))
    expect(places.get('a')).toEqual({ x: 6, y: 0, w: 6, h: 4 })
    expect(places.get('free')).toEqual({ x: 6, y: 3, w: 6, h: 4 })
    expect(placeOf(moveInto(moved, 'a', null, null), 'a')).toBeNull()
  })

  test('get new widgets of their own', () => {
    const { draft: next, id } = addWidget(draft, 'SPACER', {}, two)
    expect(placeOf(next, id)).toEqual(two)
    expect(next.widgets?.at(-1)?.position).toEqual({ x: 0, y: 4, w: 12, h: 1 })
  })

  test('are renamed and put in order, and keep what others wrote of them', () => {
    const [first, second] = tabsOf(draft)
    if (first === undefined || second === undefined) throw new Error('no tabs')
    const next = changeTabs(draft, 'tabs', reordered([{ ...first, title: 'Uno' }, second], 0, 1))
    expect(next.widgets?.[0]?.config?.tabs).toEqual([
      { id: 'two', title: 'Two', widgetIds: ['c'] },
      { id: 'one', title: 'Uno', widgetIds: ['a', 'b'], color: 'red' },
    ])
    expect(idsOf(next)).toEqual(idsOf(draft))
  })

  test('take their widgets with them', () => {
    expect(heldBy(draft, 'tabs').map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(idsOf(changeTabs(draft, 'tabs', tabsOf(draft).slice(1)))).toEqual(['tabs', 'c', 'free'])
    expect(idsOf(removeWidget(draft, 'tabs'))).toEqual(['free'])
    const without = removeWidget(draft, 'a')
    expect(tabsOf(without)[0]?.widgetIds).toEqual(['b'])
    expect(idsOf(without)).not.toContain('a')
  })

  test('are places for what holds nothing itself', () => {
    expect(placesFor(draft, 'a')).toEqual([null, two])
    expect(placesFor(draft, 'free')).toEqual([one, two])
    expect(placesFor(draft, 'tabs')).toEqual([])
    expect(placesFor(draft, 'nobody')).toEqual([])
  })

  test('of containers within each other, or of one that names itself, end', () => {
    const around = (id: string, inner: string) => ({
      ...text(id),
      type: 'PARENT' as const,
      config: { widgetIds: [inner] },
    })
    const circle = { widgets: [around('x', 'y'), around('y', 'x'), around('z', 'z')] }
    expect(heldBy(circle, 'x').map(({ id }) => id)).toEqual(['y'])
    expect(idsOf(removeWidget(circle, 'x'))).toEqual(['z'])
    expect(heldBy(circle, 'z')).toEqual([])
  })

  test('that a container has not, come with the second one', () => {
    const plain = {
      widgets: [{ ...text('box'), type: 'CONTAINER' as const, config: { widgetIds: ['a'] } }, text('a'), text('b')],
    }
    const [box] = moveInto(plain, 'b', { containerId: 'box', tabId: 'all' }, null).widgets ?? []
    expect(box?.config).toEqual({ widgetIds: ['a', 'b'] })
    const only = tabsIn(plain.widgets[0] ?? text(''))
    const [split] = changeTabs(plain, 'box', [...only, newTab(only, 'More')]).widgets ?? []
    expect(split?.config).toEqual({
      tabs: [
        { id: 'all', title: '', widgetIds: ['a'] },
        { id: 'tab-2', title: 'More', widgetIds: [] },
      ],
    })
  })
})
