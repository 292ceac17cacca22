import { expect, test } from 'vitest'
import { createPlanNames } from '../../src/plans/plan-name.ts'

const tree = 'a'.repeat(40)
let time = Date.parse('2026-01-01T00:00:00Z')
const effects = { now: () => new Date(time), randomBytes: (size: number) => Buffer.alloc(size) }
const names = createPlanNames({ effects, secretKey: Buffer.alloc(32, 1) })

test('a name leads to its tree, on its deployment alone, for an hour', () => {
  const name = names.make(7, tree)
  expect(names.read(7, name)).toBe(tree)
  expect(names.read(8, name)).toBeUndefined()
  time += 3_600_001
  expect(names.read(7, name)).toBeUndefined()
})

test('a name for another tree or a later end cannot be made without the key', () => {
  const name = names.make(7, tree)
  expect(names.read(7, name.replace(tree, 'b'.repeat(40)))).toBeUndefined()
  expect(names.read(7, name.replace(/-(\w+)-(\w+)$/, '-zzzzzzzz-$2'))).toBeUndefined()
  const others = createPlanNames({ effects, secretKey: Buffer.alloc(32, 2) })
  expect(others.read(7, name)).toBeUndefined()
  expect(names.read(7, 'main')).toBeUndefined()
})
