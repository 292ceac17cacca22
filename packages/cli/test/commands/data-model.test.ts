import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { page, refusal } from '../support/fixtures.ts'
import { useBench } from '../support/run-hedron.ts'

const bench = useBench()
const files = 'GET /build/api/v1/deployments/7/data-model/files'
const tree = page([
  {
    path: '/model',
    name: 'model',
    type: 'directory',
    children: [
      { path: '/model/cubes', name: 'cubes', type: 'directory', children: [] },
      { path: '/model/a.yml', name: 'a.yml', type: 'file', content: 'cubes: []\n' },
    ],
  },
  { path: '/cube.js', name: 'cube.js', type: 'file', content: '' },
])

describe('files', () => {
  test('are listed depth first', async () => {
    bench.server.on(files, { body: tree })
    expect((await bench.run(['dm', 'list', '7', '--branch', 'main'])).stdout).toBe(
      '/model/\n/model/cubes/\n/model/a.yml\n/cube.js\n',
    )
    expect(bench.server.log()).toEqual([`${files}?branchName=main`])
    expect(JSON.parse((await bench.run(['dm', 'list', '7', '--content'])).stdout)).toEqual(tree)
    expect(bench.server.log()[1]).toBe(`${files}?withContent=true`)
  })

  test('an answer without a tree is an empty one', async () => {
    bench.server.on(files, { body: { path: '/x', type: 'file' } })
    expect(await bench.run(['dm', 'list', '7'])).toMatchObject({ exitCode: 0, stdout: '', stderr: 'No results\n' })
  })

  test.each(['model/a.yml', '/model/a.yml'])('%s is printed as it is', async path => {
    bench.server.on(files, { body: tree })
    expect(await bench.run(['dm', 'get', '7', path])).toMatchObject({ exitCode: 0, stdout: 'cubes: []\n' })
  })

  test('an empty file is there, a folder is none', async () => {
    bench.server.on(files, { body: tree })
    expect(await bench.run(['dm', 'get', '7', 'cube.js'])).toMatchObject({ exitCode: 0, stdout: '' })
    for (const path of ['model', 'model/b.yml']) {
      expect(await bench.run(['dm', 'get', '7', path])).toMatchObject({
        exitCode: 1,
        stderr: `error: file not found: ${path}\n`,
      })
    }
  })
})

describe('put', () => {
  const put = 'PUT /build/api/v1/deployments/7/data-model/files'

  test('sends a local file or the standard input', async () => {
    bench.server.on(put, { body: { success: true } })
    const path = join(bench.folder, 'a.yml')
    await writeFile(path, '\ufeffcubes: [] # ä\n')
    await bench.run(['dm', 'put', '7', 'a.yml', '--file', path])
    await bench.run(['dm', 'put', '7', 'a.yml', '--file', '-'], { input: 'one' })
    await bench.run(['dm', 'put', '7', 'a.yml', '--content', '-'], { input: 'two' })
    expect(bench.server.requests.map(({ body }) => body)).toEqual(
      ['\ufeffcubes: [] # ä\n', 'one', 'two'].map(content => ({ files: [{ path: 'a.yml', content }] })),
    )
  })

  test('refuses what would arrive changed', async () => {
    const path = join(bench.folder, 'latin1.yml')
    await writeFile(path, Buffer.from([0x63, 0xe4]))
    const result = await bench.run(['dm', 'put', '7', 'a.yml', '--file', path])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain(`error: failed to read ${path}: `)
    expect(bench.server.requests).toHaveLength(0)
  })

  test('needs content, once', async () => {
    expect(await bench.run(['dm', 'put', '7', 'a.yml'])).toMatchObject({
      exitCode: 1,
      stderr: 'error: provide --file <path> or --content <text>\n',
    })
    expect((await bench.run(['dm', 'put', '7', 'a', '--file', 'a', '--content', 'b'])).exitCode).toBe(2)
    expect((await bench.run(['dm', 'put', '7', 'a', '--file', ' '])).exitCode).toBe(2)
  })
})

describe('a conflict', () => {
  const conflicts = [
    {
      path: 'model/a.yml',
      kind: 'content',
      base: 'b',
      ours: 'o',
      theirs: 't',
      regions: [
        {
          baseStartLine: 3,
          base: ['x'],
          oursStartLine: 3,
          ours: ['one\n', 'two\r\n'],
          theirsStartLine: 4,
          theirs: ['\u001b[2Jthree'],
        },
        { baseStartLine: 9, base: ['y'], oursStartLine: 10, ours: [], theirsStartLine: 10, theirs: ['z'] },
      ],
    },
    { path: 'model/b.yml', kind: 'delete-modify', base: 'b', ours: null, theirs: 't', regions: [] },
  ]
  const message = '"dev-ada" and "main" both changed model/a.yml, model/b.yml. Nothing was changed.'

  test.each([
    ['merge', 'merge'],
    ['commit', 'commit'],
    ['pull', 'pull'],
    ['merge-to-default', 'merge-to-default'],
  ])('of %s is shown with the lines of both sides', async (name, path) => {
    bench.server.on(`POST /build/api/v1/deployments/7/${path}`, refusal(409, 'merge_conflict', message, { conflicts }))
    const result = await bench.run(['data-model', name, '7'])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toBe(
      [
        'conflict in model/a.yml: both sides changed the same lines',
        '  <<<<<<< ours, lines 3-4',
        '  one',
        '  two',
        '  =======',
        '  [2Jthree',
        '  >>>>>>> theirs, line 4',
        '  <<<<<<< ours, nothing, before line 10',
        '  =======',
        '  z',
        '  >>>>>>> theirs, line 10',
        'conflict in model/b.yml: one side deleted it, the other changed it',
        'Change these files on the branch to what they should be, then run this command again with --resolved.',
        `error: POST /build/api/v1/deployments/7/${path} failed with 409 Conflict: ${message}`,
        '',
      ].join('\n'),
    )
    const asJson = await bench.run(['data-model', name, '7', '--json'])
    const [, document] = asJson.stderr.split('\n')
    expect(JSON.parse(document ?? '')).toMatchObject({ error: { code: 'merge_conflict', conflicts, status: 409 } })
  })
})
