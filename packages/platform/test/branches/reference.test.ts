import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Developer, developer } from './developer.ts'
import { createReference } from './reference.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

const names = ['ada', 'bob'] as const
const paths = ['model/a.yml', 'model/b.yml', 'model/views/c.yml', 'top.txt']

const who = fc.constantFrom(...names)
const path = fc.constantFrom(...paths)
const resolved = fc.boolean()
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('write' as const), who, paths: fc.uniqueArray(path, { minLength: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revert' as const), who, path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), who, path }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('commit' as const), who, resolved }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pull' as const), who, resolved }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), who, resolved }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deploy' as const), who, path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who }) },
)

test('what two developers do, step by step, leaves the files that a simple model says', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
      const first = Object.fromEntries(paths.map(each => [each, `first ${each}\n`]))
      const deploymentId = await bench.deployment(first)
      const reference = createReference(names, new Map(Object.entries(first)))
      const developers = new Map<string, Developer>(
        names.map(name => [name, developer(bench, bench.caller(name), deploymentId)]),
      )
      for (const each of developers.values()) await each.enter()
      for (const [index, action] of steps.entries()) {
        const actor = developers.get(action.who)
        if (!actor) throw new Error(`nobody is called ${action.who}`)
        // Unlike any other content, so that nothing is taken for a renamed file.
        const content = (name: string) => `${index} ${action.who} ${name} ${index * 7919}\n`
        switch (action.kind) {
          case 'write': {
            const files = Object.fromEntries(action.paths.map(name => [name, content(name)]))
            await actor.write(files)
            reference.write(action.who, new Map(Object.entries(files)))
            break
          }
          case 'revert': {
            const files = { [action.path]: `first ${action.path}\n` }
            await actor.write(files)
            reference.write(action.who, new Map(Object.entries(files)))
            break
          }
          case 'remove': {
            const isThere = reference.files(action.who).has(action.path)
            expect(await succeeds(actor.remove([action.path]), 'file_not_found')).toBe(isThere)
            reference.write(action.who, new Map([[action.path, null]]))
            break
          }
          case 'commit': {
            const done = await succeeds(actor.commit({ resolveMergeConflict: action.resolved }), 'merge_conflict')
            expect(done).toBe(reference.commit(action.who, action.resolved))
            break
          }
          case 'merge': {
            const done = await succeeds(actor.merge({ resolveMergeConflict: action.resolved }), 'merge_conflict')
            expect(done).toBe(reference.commit(action.who, action.resolved))
            break
          }
          case 'pull': {
            const done = await succeeds(actor.pull({ resolveMergeConflict: action.resolved }), 'merge_conflict')
            expect(done).toBe(reference.pull(action.who, action.resolved))
            break
          }
          case 'deploy': {
            const files = new Map(reference.main()).set(action.path, content(action.path))
            await actor.deploy(Object.fromEntries(files), { branchName: 'main' })
            reference.deploy(files)
            break
          }
          case 'leave':
            await actor.leave()
            await actor.enter()
        }
        expect(await actor.files({ branchName: 'main' })).toEqual(Object.fromEntries(reference.main()))
        for (const [name, each] of developers) {
          expect(await each.files()).toEqual(Object.fromEntries(reference.files(name)))
        }
      }
    }),
    { numRuns: 25 },
  )
})

async function succeeds(call: Promise<unknown>, refusal: string): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: refusal })
    return false
  }
}
