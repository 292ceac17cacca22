import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadPackResponse } from '../../src/git/index.ts'
import { createRepository, type GitRepository } from '../git/git-program.ts'
import { type Developer, developer } from './developer.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

async function start(): Promise<{ ada: Developer; bob: Developer }> {
  const deploymentId = await bench.deployment({ 'model/a.yml': 'cube\n', 'README.md': 'Read me\r\n' })
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  const bob = developer(bench, bench.caller('bob <\u0007> "Bob"'), deploymentId)
  return { ada, bob }
}

/** Fetches all that a caller may see into an empty repository, as `git clone` does. */
async function clone(who: Developer, repository: GitRepository) {
  const source = await bench.cloneSource(who.caller, who.params.deploymentId)
  const request = {
    wants: [...new Set(source.references.values())],
    haves: [],
    capabilities: new Set<string>(),
    done: true,
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of uploadPackResponse({ ...source, request })) chunks.push(chunk)
  const answer = Buffer.concat(chunks)
  const acknowledgement = '0008NAK\n'
  expect(answer.subarray(0, 8).toString()).toBe(acknowledgement)
  await repository.unpack(answer.subarray(acknowledgement.length))
  for (const [name, id] of source.references) await repository.git(['update-ref', name, id])
  return source
}

test('git gets the same ids and bytes, and finds nothing wrong with them', async () => {
  const { ada, bob } = await start()
  await ada.enter()
  await bob.enter()
  await ada.write({ 'model/views/ünïcode.yml': 'view\n', empty: '', 'README.md': 'no newline' })
  await bob.write({ 'model/b.yml': 'cube\n', 'model/a.yml': 'cube\n\ufeff𝒳\n' })
  await ada.commit({ message: 'Ünïcode\r\n\r\nwith a body\0\n\n' })
  await bob.commit({ message: '' })
  await ada.createBranch({ name: 'feature/x' })
  await ada.deploy({ 'model/z.yml': 'z' }, { branchName: 'feature/x' })
  await ada.merge({ branchName: 'feature/x', message: 'Merge it' })

  await using repository = await createRepository()
  const source = await clone(ada, repository)
  expect(await repository.fsck()).toBe('')
  for (const branch of ['main', 'feature/x']) {
    const files = await ada.files({ branchName: branch })
    const listed = (await repository.git(['ls-tree', '-r', '-z', '--name-only', branch])).split('\0').filter(Boolean)
    expect(listed.sort()).toEqual(Object.keys(files).sort())
    for (const path of listed) {
      const { stdout } = await repository.run(['show', `${branch}:${path}`])
      expect(stdout.equals(Buffer.from(files[path] ?? ''))).toBe(true)
    }
    expect((await repository.git(['rev-parse', branch])).trim()).toBe(source.references.get(`refs/heads/${branch}`))
  }
  const history = await repository.git(['log', '--format=%an <%ae> %s', 'main'])
  expect(history).toContain('ada <ada@example.com> Ünïcode\n')
  expect(await repository.git(['rev-list', '--min-parents=2', '--count', 'main'])).toBe('2\n')
})

test('git sees shared branches and one’s own, and nothing that is not committed', async () => {
  const { ada, bob } = await start()
  const [ofAda, ofBob] = [await ada.enter(), await bob.enter()]
  await ada.write({ secret: 'not committed' })
  const source = await bench.cloneSource(ada.caller, ada.params.deploymentId)
  expect([...source.references.keys()]).toEqual(['refs/heads/main', `refs/heads/${ofAda}`])
  expect([...source.references.keys()]).not.toContain(`refs/heads/${ofBob}`)
  expect(source.head).toBe('refs/heads/main')
  await using repository = await createRepository()
  await clone(ada, repository)
  expect(await repository.git(['ls-tree', '-r', '--name-only', ofAda])).toBe('README.md\nmodel/a.yml\n')
})

test('a deployment without files can be cloned', async () => {
  const deploymentId = await bench.deployment({})
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  await using repository = await createRepository()
  await clone(ada, repository)
  expect(await repository.fsck()).toBe('')
  expect(await repository.git(['ls-tree', '-r', 'main'])).toBe('')
})
