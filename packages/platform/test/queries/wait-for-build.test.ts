import { expect, test } from 'vitest'
import type { BranchModel } from '../../src/queries/branch-models.ts'
import { waitForBuild } from '../../src/queries/wait-for-build.ts'

const building: BranchModel = { branchId: 1, branchName: 'main', compiled: null, building: true }
const built: BranchModel = {
  ...building,
  building: false,
  compiled: { tree: 'a', model: null, problems: [], cubesCount: 0 },
}

/** Gives these, one a look, and the last for ever. */
function looks(...branches: readonly BranchModel[]) {
  let count = 0
  const look = async () => branches[Math.min(count++, branches.length - 1)] ?? built
  return { look, count: () => count }
}

test('a first build is waited for, and what it gave is taken', async () => {
  const { look } = looks(building, building, built)
  expect(await waitForBuild(look, 5_000)).toBe(built)
})

test('a build that takes longer is told to be on its way', async () => {
  const { look, count } = looks(building)
  expect(await waitForBuild(look, 250)).toBe(building)
  expect(count()).toBe(4)
})

test('what is built, and what nobody builds, is waited for no moment', async () => {
  const none: BranchModel = { ...building, building: false }
  for (const branch of [built, none]) {
    const { look, count } = looks(branch)
    expect(await waitForBuild(look, 5_000)).toBe(branch)
    expect(count()).toBe(1)
  }
})
