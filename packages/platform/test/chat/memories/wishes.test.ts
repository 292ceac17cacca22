import { expect, test } from 'vitest'
import { inKnownWords } from '../../../src/chat/memories/meanings.ts'
import type { Memory } from '../../../src/chat/memories/memories.ts'
import { readWish } from '../../../src/chat/memories/read-wish.ts'

test.each([
  ['Remember that heads means companies helped.', { kind: 'keep', text: 'heads means companies helped' }],
  ['please remember: I look after\n Texas', { kind: 'keep', text: 'I look after Texas' }],
  ['What do you remember?', { kind: 'list' }],
  ['list your memories', { kind: 'list' }],
  ['Forget that I look after Texas', { kind: 'forget', text: 'I look after Texas' }],
  ['forget everything!', { kind: 'forget', text: null }],
])('%j is about the memory', (input, wish) => {
  expect(readWish(input)).toEqual(wish)
})

test.each(['How many orders are there?', 'orders that people remember', 'revenue, and forget Texas', 'remember'])(
  '%j is a question',
  input => {
    expect(readWish(input)).toBeNull()
  },
)

const memory = (id: number, text: string): Memory => ({ id, text, isOwn: true })

test('words that somebody explained are read as the model’s, the newest meaning of each, whole words only', () => {
  const memories = [
    memory(3, '“heads” means companies helped'),
    memory(2, 'heads means agents'),
    memory(1, 'I like bars'),
  ]
  expect(inKnownWords('Heads by month, not headsets', memories)).toEqual({
    question: 'companies helped by month, not headsets',
    notes: ['I took “heads” as companies helped, as I was asked to remember.'],
  })
  expect(inKnownWords('tickets by month', memories)).toEqual({ question: 'tickets by month', notes: [] })
})
