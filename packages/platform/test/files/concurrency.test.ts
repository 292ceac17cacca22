import { afterAll, beforeAll, expect, test } from 'vitest'
import { developer } from '../branches/developer.ts'
import { createWorkbench, type Workbench } from '../branches/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

async function start() {
  const deploymentId = await bench.deployment({ a: 'a\n' })
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  const bob = developer(bench, bench.caller('bob'), deploymentId)
  await ada.enter()
  await bob.enter()
  return { ada, bob }
}

test('20 writes on one branch at once lose none', async () => {
  const { ada } = await start()
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`folder/f${index}`, String(index)]))
  await Promise.all(Object.entries(files).map(([path, content]) => ada.write({ [path]: content })))
  expect(await ada.files()).toEqual({ a: 'a\n', ...files })
})

test('writes on two branches that share their contents do not lock up', async () => {
  const { ada, bob } = await start()
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, `same ${index}`]))
  const backwards = Object.fromEntries(Object.entries(files).reverse())
  await Promise.all(
    Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? ada.write(files) : bob.write(backwards))),
  )
  expect(await ada.files()).toEqual({ a: 'a\n', ...files })
  expect(await bob.files()).toEqual({ a: 'a\n', ...files })
})

test('a write while the branch is committed is in the commit or stays an edit', async () => {
  const { ada } = await start()
  for (let round = 0; round < 10; round++) {
    await ada.write({ before: String(round) })
    await Promise.all([ada.commit(), ada.write({ [`while-${round}`]: String(round) })])
    const files = await ada.files()
    expect(files).toMatchObject({ before: String(round), [`while-${round}`]: String(round) })
    expect(await ada.files({ branchName: 'main' })).toMatchObject({ before: String(round) })
    await ada.commit()
    expect(await ada.files({ branchName: 'main' })).toEqual(files)
  }
})

test('commits of two developers at once keep the files of both', async () => {
  const { ada, bob } = await start()
  for (let round = 0; round < 5; round++) {
    await Promise.all([ada.write({ [`ada-${round}`]: '1' }), bob.write({ [`bob-${round}`]: '1' })])
    await Promise.all([ada.commit(), bob.commit()])
  }
  const names = Object.keys(await ada.files({ branchName: 'main' }))
  for (let round = 0; round < 5; round++)
    expect(names).toEqual(expect.arrayContaining([`ada-${round}`, `bob-${round}`]))
})

test('a write, a pull, commits and a deploy at once end in some order', async () => {
  const { ada, bob } = await start()
  for (let round = 0; round < 5; round++) {
    await bob.write({ bob: String(round) })
    const outcomes = await Promise.allSettled([
      ada.write({ ada: String(round) }),
      ada.pull(),
      bob.commit(),
      bob.deploy({ a: 'a\n', deployed: String(round) }, { branchName: 'main' }),
      ada.commit(),
    ])
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'merge_conflict' })
    }
    for (const who of [bob, ada]) {
      await who.commit({ resolveMergeConflict: true }).catch(() => who.commit({ resolveMergeConflict: true }))
    }
    await Promise.all([ada.pull(), bob.pull()])
    const files = await ada.files({ branchName: 'main' })
    expect(await ada.files()).toEqual(files)
    expect(await bob.files()).toEqual(files)
    expect(files).toMatchObject({ a: 'a\n', deployed: String(round) })
  }
})
