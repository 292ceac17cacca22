import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrameReader } from '../../src/postgres/protocol/frame-reader.ts'
import { createMessageWriter } from '../../src/postgres/protocol/message-writer.ts'

test('messages come out as they went in, however the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 50 })),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (texts, cuts) => {
        const writer = createMessageWriter()
        for (const text of texts) writer.begin('Q').bytes(Buffer.from(text)).finish()
        const bytes = writer.take()
        const reader = createFrameReader()
        const read: string[] = []
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1
          reader.push(bytes.subarray(at, at + size))
          at += size
          for (let frame = reader.next('message', 1000); frame; frame = reader.next('message', 1000)) {
            read.push(frame.body.toString())
          }
        }
        expect(read).toEqual(texts)
      },
    ),
  )
})

test('a length that cannot be is refused before its bytes are there', () => {
  for (const length of [0, 3, 1001, 0xffffffff]) {
    const reader = createFrameReader()
    const head = Buffer.alloc(5)
    head.write('Q')
    head.writeUInt32BE(length, 1)
    reader.push(head)
    expect(() => reader.next('message', 1000)).toThrow('invalid message length')
  }
})
