import { expect, test } from 'vitest'
import { shareLookups } from '../../src/queries/share-lookups.ts'

/** A lookup that ends when it is told to. */
function manualLookups() {
  const begun: { readonly key: readonly unknown[]; end(value: string): void; fail(error: Error): void }[] = []
  const look = shareLookups((...key: [number, string | null]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    begun.push({ key, end: resolve, fail: reject })
    return promise
  })
  return { begun, look }
}

test('callers that come while a lookup runs share the next one, which begins after they came', async () => {
  const { begun, look } = manualLookups()
  const first = look(1, null)
  const [second, third] = [look(1, null), look(1, null)]
  expect(begun).toHaveLength(1)

  begun[0]?.end('before the write')
  await expect(first).resolves.toBe('before the write')
  await expect.poll(() => begun.length).toBe(2)
  const fourth = look(1, null)
  begun[1]?.end('after the write')
  await expect(Promise.all([second, third])).resolves.toEqual(['after the write', 'after the write'])
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end('later')
  await expect(fourth).resolves.toBe('later')
})

test('different keys do not wait for each other', async () => {
  const { begun, look } = manualLookups()
  const found = [look(1, null), look(1, 'null'), look(2, null)]
  expect(begun.map(({ key }) => key)).toEqual([
    [1, null],
    [1, 'null'],
    [2, null],
  ])
  for (const [index, lookup] of begun.entries()) lookup.end(String(index))
  await expect(Promise.all(found)).resolves.toEqual(['0', '1', '2'])
})

test('a failure is of those alone who shared that lookup, and nothing is remembered', async () => {
  const { begun, look } = manualLookups()
  const [first, second] = [look(1, null), look(1, null)]
  begun[0]?.fail(new Error('the database is away'))
  await expect(first).rejects.toThrow('the database is away')
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end('back')
  await expect(second).resolves.toBe('back')

  const third = look(1, null)
  expect(begun).toHaveLength(3)
  begun[2]?.end('asked again')
  await expect(third).resolves.toBe('asked again')
})
