import { describe, expect, test } from 'vitest'
import { noHistory, remembered, stepped } from '../../src/creator/workbook-history.ts'

const position = { x: 0, y: 0, w: 6, h: 4 }
const widget = (x: number) => ({ id: 'text', type: 'TEXT' as const, position: { ...position, x } })
const [first, second, third] = [0, 1, 2].map(x => ({ widgets: [widget(x)] }))
if (first === undefined || second === undefined || third === undefined) throw new Error('no drafts')

describe('the history of a draft', () => {
  test('takes changes that follow each other closely as one, as steps of a drag', () => {
    const history = remembered(remembered(noHistory, first, second, 1_000), second, third, 1_500)
    expect(stepped(history, third, 'undo')?.draft).toBe(first)
  })

  test('keeps changes apart that are further from each other', () => {
    const history = remembered(remembered(noHistory, first, second, 1_000), second, third, 1_800)
    expect(stepped(history, third, 'undo')?.draft).toBe(second)
  })

  test('takes back a loss alone, however soon it followed, and what soon followed it alone', () => {
    const empty = { widgets: [] }
    const lost = remembered(remembered(noHistory, first, second, 1_000), second, empty, 1_001)
    expect(stepped(lost, empty, 'undo')?.draft).toBe(second)
    const named = { title: 'Named', widgets: [] }
    const after = remembered(lost, empty, named, 1_002)
    expect(stepped(after, named, 'undo')?.draft).toBe(empty)
  })

  test('goes forward again to what was taken back', () => {
    const history = remembered(noHistory, first, second, 1_000)
    const back = stepped(history, second, 'undo')
    expect(back === null ? null : stepped(back.history, back.draft, 'redo')?.draft).toBe(second)
    expect(stepped(noHistory, first, 'undo')).toBeNull()
  })
})
