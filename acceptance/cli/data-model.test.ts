import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi } from '../support/api.ts'
import { createHedron, type Hedron } from './hedron.ts'

const api = sharedApi()
const people: Hedron[] = []

/** Someone with a key, and so with a dev-mode session, of their own. */
async function person(): Promise<Hedron> {
  const hedron = await createHedron({ baseUrl: api.baseUrl, apiKey: await createKey(api) })
  people.push(hedron)
  return hedron
}
afterAll(() => Promise.all(people.map(hedron => hedron.dispose())))

const model = (...measures: readonly string[]) => `cubes:
  - name: numbers
    sql: SELECT 1 AS id, 5 AS amount UNION ALL SELECT 2, 7
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
    measures:
${measures.join('\n')}
`
const count = '      - name: count\n        type: count'
const total = '      - name: total\n        sql: amount\n        type: sum'
const path = 'model/cubes/numbers.yml'

describe('from edit to production', () => {
  let ada: Hedron
  let id = ''
  beforeAll(async () => {
    ada = await person()
    id = String(await createDeployment(api, { deployMode: 'cli' }))
    await ada.succeed('variables', 'set', id, 'CUBEJS_DB_TYPE=duckdb')
  })

  test('a change answers in dev mode, and in production once it is committed', async () => {
    const entered = Object(await ada.json('data-model', 'dev-mode', id, 'main'))
    expect(entered.branchName).toMatch(/^dev-/)
    await ada.succeed('data-model', 'put', id, path, '--content', model(count, total))
    expect(await ada.succeed('data-model', 'get', id, path)).toBe(model(count, total))
    expect(await ada.succeed('validate', id, '--dev-mode')).toContain(`✓ Data model on ${entered.branchName} is valid`)
    const ask = ['query', id, '--measures', 'numbers.total'] as const
    expect(await ada.succeed(...ask, '--dev-mode')).toBe('numbers.total\n           12\n')
    expect(await ada.succeed(...ask, '--branch', entered.branchName)).toBe('numbers.total\n           12\n')
    expect((await ada.run(...ask)).exitCode).toBe(1)

    expect(await ada.succeed('data-model', 'commit', id, '-m', 'Numbers')).toBe('✓ Committed and pushed\n')
    await ada.succeed('deployments', 'build-status', id, '--branch', 'main', '--wait', '--poll', '1s')
    expect(await ada.succeed(...ask)).toBe('numbers.total\n           12\n')
  })

  test('a mistake is shown with its place, and production does not have it', async () => {
    await ada.succeed(
      'data-model',
      'put',
      id,
      'model/broken.yml',
      '--content',
      'cubes:\n  - name: broken\n    sql_tabel: x\n',
    )
    const invalid = await ada.run('validate', id, '--dev-mode')
    expect(invalid.exitCode).toBe(1)
    expect(invalid.stderr).toMatch(/^ {2}model\/broken\.yml:\d+:\d+: /m)
    expect((await ada.run('validate', id, '--dev-mode', '--json')).stdout).toContain('"valid": false')
    expect(await ada.succeed('validate', id)).toContain('✓ Data model on main is valid')
    await ada.succeed('data-model', 'rename', id, 'model/broken.yml', 'model/worse.yml')
    expect(await ada.succeed('data-model', 'list', id)).toContain('/model/worse.yml\n')
    await ada.succeed('data-model', 'delete', id, 'model/worse.yml')
    expect(await ada.succeed('data-model', 'list', id)).not.toContain('worse')
  })

  test('without a session there is no branch to write to', async () => {
    await ada.succeed('data-model', 'exit-dev-mode', id)
    const refused = await ada.run('data-model', 'put', id, path, '--content', '')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('no open dev-mode session')
    expect((await ada.run('query', id, '--measures', 'numbers.count', '--dev-mode')).stderr).toContain(
      'no dev-mode session',
    )
    const shared = await ada.run('data-model', 'put', id, path, '--content', '', '--branch', 'main')
    expect(shared.stderr).toContain('is not a dev-mode branch')
  })

  test('two people who change the same lines are shown both sides, and the second settles it', async () => {
    const bob = await person()
    for (const someone of [ada, bob]) await someone.succeed('data-model', 'dev-mode', id, 'main')
    await ada.succeed('data-model', 'pull', id)
    await ada.succeed('data-model', 'put', id, path, '--content', model(count, total.replace('sum', 'max')))
    await bob.succeed('data-model', 'put', id, path, '--content', model(count, total.replace('sum', 'min')))
    await ada.succeed('data-model', 'commit', id)

    const conflict = await bob.run('data-model', 'commit', id)
    expect(conflict.exitCode).toBe(1)
    expect(conflict.stderr).toContain(`conflict in ${path}: both sides changed the same lines\n`)
    expect(conflict.stderr).toMatch(
      /<<<<<<< ours, line 14\n {10}type: min\n {2}=======\n {10}type: max\n {2}>>>>>>> theirs, line 14\n/,
    )
    const asJson = await bob.run('data-model', 'commit', id, '--json')
    expect(JSON.parse(asJson.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'merge_conflict', status: 409, conflicts: [{ path, kind: 'content' }] },
    })

    await bob.succeed('data-model', 'put', id, path, '--content', model(count, total.replace('sum', 'avg')))
    await bob.succeed('data-model', 'commit', id, '--resolved')
    expect(await bob.succeed('data-model', 'get', id, path, '--branch', 'main')).toContain('type: avg')
  })

  test('branches are made, kept active, merged and deleted', async () => {
    await ada.succeed('data-model', 'exit-dev-mode', id)
    expect(await ada.succeed('data-model', 'create-branch', id, 'feature/one')).toBe('✓ Created branch feature/one\n')
    await ada.succeed('data-model', 'enable-branch', id, 'feature/one')
    expect(await ada.succeed('environments', 'list', id, '--type', 'staging')).toContain('feature/one')
    await ada.succeed('data-model', 'disable-branch', id, 'feature/one')
    expect(await ada.succeed('data-model', 'branches', id)).toMatch(/^feature\/one +main +false$/m)
    const { branchName } = Object(await ada.json('data-model', 'dev-mode', id, 'feature/one'))
    await ada.succeed('data-model', 'put', id, 'model/cubes/one.yml', '--content', 'cubes: []\n')
    await ada.succeed('data-model', 'commit', id, '-m', 'One')
    await ada.succeed('data-model', 'exit-dev-mode', id)
    const merged = await ada.json('data-model', 'merge-to-default', id, '--branch', 'feature/one')
    expect(merged).toEqual({ branchDeleted: true, merged: true })
    expect(await ada.succeed('data-model', 'list', id, '--branch', 'main')).toContain('/model/cubes/one.yml')
    await ada.succeed('data-model', 'delete-branch', id, branchName)
    const listed = await ada.succeed('data-model', 'branches', id)
    expect(listed).not.toContain('feature/one')
    expect(listed).not.toContain(branchName)
  })
})

describe('deploy', () => {
  test('uploads what differs, removes what is gone, and tells how the build ended', async () => {
    const hedron = await person()
    const id = String(await createDeployment(api, { deployMode: 'cli' }))
    const project = join(hedron.folder, 'project')
    const deploy = (...argv: readonly string[]) => hedron.run('deploy', id, '--directory', project, ...argv)
    await mkdir(join(project, 'model'), { recursive: true })
    await writeFile(join(project, path.replace('cubes/', '')), model(count))
    const odd = ['ä ö.yml', 'a "quoted" one.yml', '50%25 + #1.yml']
    for (const name of odd) await writeFile(join(project, 'model', name), `# ${name}\n`)
    await Promise.all(
      Array.from({ length: 450 }, (_, index) => writeFile(join(project, 'model', `note-${index}.md`), `${index}\n`)),
    )

    const first = await deploy('-m', 'Everything', '--wait', '--poll', '1s')
    expect(first).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^✓ Deployed 454 file\(s\) \(454 uploaded, \d+ removed\)\n✓ Built branch main\n$/),
    })
    const listed = (await hedron.succeed('data-model', 'list', id)).split('\n')
    for (const name of odd) expect(listed).toContain(`/model/${name}`)
    expect(listed.filter(line => line !== '' && !line.endsWith('/'))).toHaveLength(454)

    expect((await deploy()).stdout).toContain('Deployed 454 file(s) (0 uploaded, 0 removed)')
    await writeFile(join(project, 'model', 'note-1.md'), 'changed\n')
    await rm(join(project, 'model', 'note-2.md'))
    expect((await deploy('--plan')).stdout).toBe('Files of branch main\n  ~ model/note-1.md\n  - model/note-2.md\n')
    expect((await deploy('--keep-missing')).stdout).toContain('Deployed 453 file(s) (1 uploaded, 0 removed)')
    expect((await deploy()).stdout).toContain('(0 uploaded, 1 removed)')

    await writeFile(join(project, 'model', 'broken.yml'), 'cubes:\n  - name: [\n')
    const broken = await deploy('--wait', '--poll', '1s')
    expect(broken.exitCode).toBe(1)
    expect(broken.stderr).toMatch(/^error: build failed for branch main: .*model\/broken\.yml/m)
  })

  test('is refused where the deployment is fed from git', async () => {
    const hedron = await person()
    const id = String(await createDeployment(api, { deployMode: 'git' }))
    await writeFile(join(hedron.folder, 'a.yml'), 'cubes: []\n')
    const refused = await hedron.run('deploy', id, '--directory', hedron.folder)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('has deploy mode git')
  })
})
