import { compileModel, type Model } from '@hedron/semantic'
import { describe, expect, test } from 'vitest'
import { createModelReader, writeModel } from '../../src/builds/model-text.ts'

const file = (name: string, title = name) => ({
  path: `model/${name}.yml`,
  content: `cubes:\n  - name: ${name}\n    title: "${title}"\n    sql_table: ${name}\n    measures: [{ name: count, type: count }]\n`,
})

function modelOf(...files: readonly { path: string; content: string }[]): Model {
  const { model } = compileModel(files)
  if (model === null) throw new Error('the model does not compile')
  return model
}

describe('the text of a model', () => {
  test.each([
    ['is empty', modelOf()],
    ['has one cube', modelOf(file('orders'))],
    ['looks like the text', modelOf(file('orders', '],\\n[\\n:['), file('users', '}\\n{,'))],
  ])('is JSON and is read as the model that was written, when it %s', async (_, model) => {
    const text = writeModel(model)
    expect(JSON.parse(text)).toEqual(model)
    expect(await createModelReader()(text, 1)).toEqual(model)
  })

  test('may be of an earlier version, all on one line', async () => {
    const model = modelOf(file('orders'))
    expect(await createModelReader()(JSON.stringify(model), 1)).toEqual(model)
  })

  test('keeps what is no list', async () => {
    const model = { ...modelOf(file('orders')), version: { number: 3, of: ['a'] } }
    expect(await createModelReader()(writeModel(model), 1)).toEqual(model)
  })
})

test('models of a deployment share what they have in common, those of others nothing', async () => {
  const read = createModelReader()
  const before = await read(writeModel(modelOf(file('orders'), file('users'))), 1)
  const after = await read(writeModel(modelOf(file('orders'), file('users', 'People'))), 1)
  expect(after.cubes[0]).toBe(before.cubes[0])
  expect(after.cubes[1]).toMatchObject({ name: 'users', title: 'People' })
  const other = await read(writeModel(modelOf(file('orders'), file('users'))), 2)
  expect(other.cubes[0]).toEqual(before.cubes[0])
  expect(other.cubes[0]).not.toBe(before.cubes[0])
})

test('a large text is read in turns', async () => {
  const files = Array.from({ length: 300 }, (_, index) => file(`cube_${index}`, 'x'.repeat(5_000)))
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await createModelReader()(writeModel(modelOf(...files)), 1)
  isDone = true
  expect(turns).toBeGreaterThan(3)
})
