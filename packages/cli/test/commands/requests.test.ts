import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { administrator, deployment, page, refusal } from '../support/fixtures.ts'
import { apiKey, useBench } from '../support/run-hedron.ts'

const bench = useBench()
const flights = deployment(7, 'Flights')

/** Command line, answer of its one request, the request as it must be, and what stands on the standard output. */
type Case = [argv: string[], route: string, answer: unknown, request: string, stdout: string]

const build = '/build/api/v1/deployments/7'
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const cases: Case[] = [
  [['deployments', 'get', '7'], 'GET /api/v1/deployments/7', { b: 1, a: 2 }, '', json({ a: 2, b: 1 })],
  [
    ['deployments', 'create', '--name', 'Flights', '--unmanaged', '-d', '{"name":"Other","deployMode":"cli"}'],
    'POST /build/api/v1/deployments',
    { id: 7 },
    ' {"name":"Other","isManaged":false,"deployMode":"cli"}',
    json({ id: 7 }),
  ],
  [
    [
      'deployments',
      'update',
      '7',
      '--release-channel-version',
      'v0.1.0',
      '-d',
      '{"releaseChannelVersion":"x","name":"n"}',
    ],
    'PUT /api/v1/deployments/7',
    { id: 7 },
    ' {"releaseChannelVersion":"v0.1.0","name":"n"}',
    json({ id: 7 }),
  ],
  [['deployments', 'settings', '7'], 'GET /api/v1/deployments/7/settings', { id: 7 }, '', json({ id: 7 })],
  [
    ['deployments', 'versions', '7', '--first', '2', '--after', ''],
    'GET /api/v1/deployments/7/versions',
    page([
      {
        version: '0.1.0',
        releaseChannel: 'latest',
        releaseChannelVersion: 'v0.1.0',
        isLatestInChannel: true,
        isCurrent: false,
      },
    ]),
    '?first=2&after=',
    'VERSION  CHANNEL  LATEST  CURRENT  PASS AS\n0.1.0    latest   true    false    v0.1.0\n',
  ],
  [['deployments', 'token', '7'], 'POST /api/v1/deployments/7/token', { cubeApiToken: 'jwt' }, '', 'jwt\n'],
  [
    ['deployments', 'token', '7', '--expires-in', '60', '--json'],
    'POST /api/v1/deployments/7/token',
    { cubeApiToken: 'jwt' },
    ' {"expiresIn":60}',
    json({ cubeApiToken: 'jwt' }),
  ],
  [
    ['deployments', 'build-status', '7', '--branch', ''],
    'GET /api/v1/deployments/7/build-status',
    { status: 'none' },
    '?branchName=',
    json({ status: 'none' }),
  ],
  [
    ['deployments', 'advance-step', '7', 'ready'],
    'POST /api/v1/deployments/7/creation-step/advance',
    flights,
    ' {"creationStep":"ready"}',
    json({ creationStep: 'ready', deploymentUrl: flights.deploymentUrl, id: 7, name: 'Flights' }),
  ],
  [['deployments', 'reset-step', '7'], 'POST /api/v1/deployments/7/creation-step/reset', null, '', 'null\n'],
  [
    ['region', '--first', '1'],
    'GET /api/v1/regions',
    page([{ id: 1, name: 'local', title: 'This machine', provider: null }]),
    '?first=1',
    'ID  NAME   TITLE         PROVIDER\n1   local  This machine\n',
  ],
  [
    ['variables', 'list', '7'],
    'GET /api/v1/deployments/7/env-vars',
    page([{ name: 'A', value: '[ENCRYPTED]' }]),
    '',
    'NAME  VALUE      \nA     [ENCRYPTED]\n',
  ],
  [
    ['vars', 'set', '7', 'A=1', 'B=x=y'],
    'PUT /api/v1/deployments/7/env-vars',
    page([]),
    ' {"env_variables":[{"name":"A","value":"1"},{"name":"B","value":"x=y"}]}',
    '✓ Set 2 variable(s)\n',
  ],
  [
    ['envs', 'list', '7', '--type', 'staging', '--limit', '5'],
    'GET /api/v1/deployments/7/environments',
    page([{ id: '3', type: 'staging', branch: 'beta', user: null }]),
    '?type=staging&limit=5',
    'ID  TYPE     BRANCH  USER\n3   staging  beta\n',
  ],
  [
    ['environments', 'tokens', '7', '3'],
    'GET /api/v1/deployments/7/environments/3/tokens',
    page([{ token: 't', created_at: 'c', expires_at: 'e' }]),
    '',
    'TOKEN  CREATED  EXPIRES\nt      c        e\n',
  ],
  [
    [
      'environments',
      'create-token',
      '7',
      '3',
      '--security-context',
      '{"a":1}',
      '--expires-in',
      '60',
      '--scope',
      'meta',
    ],
    'POST /api/v1/deployments/7/environments/3/tokens',
    { data: { token: 't' } },
    ' {"security_context":{"a":1},"expires_in":60,"scopes":["meta"]}',
    't\n',
  ],
  [
    ['environments', 'create-token', '7', '3', '--security-context', '{}', '--meta-sync'],
    'POST /api/v1/deployments/7/environments/3/tokens-for-meta-sync',
    { data: { token: 't' } },
    ' {"security_context":{}}',
    't\n',
  ],
  [
    ['users', 'list', '--search', 'a d', '--first', '2'],
    'GET /api/v1/users',
    page([administrator]),
    '?first=2&search=a+d',
    'ID  EMAIL            NAME\n1   admin@localhost  Ada\n',
  ],
  [['users', 'me'], 'GET /api/v1/users/me', { id: 1 }, '', json({ id: 1 })],
  [['api-keys', 'get', 'a/b'], 'GET /api/v1/api-keys/a%2Fb', { id: 'a/b' }, '', json({ id: 'a/b' })],
  [
    ['api-keys', 'create', '--name', 'ci', '--deployment', '7', '-d', '{"name":"x","policies":[]}'],
    'POST /api/v1/api-keys',
    { id: 'k', token: 'sk-1' },
    ' {"name":"ci","policies":[],"deploymentIds":[7]}',
    json({ id: 'k', token: 'sk-1' }),
  ],
  [['api-keys', 'revoke', 'k'], 'DELETE /api/v1/api-keys/k', { success: true }, '', '✓ Deleted API key k\n'],
  [
    ['data-model', 'put', '7', 'model/a.yml', '--content', '', '--branch', 'dev-1'],
    `PUT ${build}/data-model/files`,
    { success: true },
    ' {"files":[{"path":"model/a.yml","content":""}],"branchName":"dev-1"}',
    '✓ Wrote model/a.yml\n',
  ],
  [
    ['dm', 'rm', '7', 'a.yml', 'b.yml'],
    `DELETE ${build}/data-model/files`,
    { success: true },
    ' {"files":[{"path":"a.yml"},{"path":"b.yml"}]}',
    '✓ Deleted 2 file(s)\n',
  ],
  [
    ['dm', 'rename', '7', 'a.yml', 'b.yml', '--branch', ''],
    `POST ${build}/data-model/files/rename`,
    { success: true },
    ' {"files":[{"path":"a.yml","newPath":"b.yml"}],"branchName":""}',
    '✓ Renamed a.yml -> b.yml\n',
  ],
  [
    ['dm', 'file-hashes', '7', '--branch', 'a/b'],
    `GET ${build}/data-model/file-hashes`,
    { 'a.yml': { hash: 'x' } },
    '?branchName=a%2Fb',
    json({ 'a.yml': { hash: 'x' } }),
  ],
  [
    ['dm', 'branches', '7'],
    `GET ${build}/branches`,
    page([{ id: 1, name: 'main', parentBranch: null, isStagingEnvironmentEnabled: false }]),
    '',
    'NAME  PARENT  ENABLED\nmain          false\n',
  ],
  [
    ['dm', 'create-branch', '7', 'beta', '--from', 'main'],
    `POST ${build}/branches`,
    { active: false, branchName: 'beta', parentBranch: 'main' },
    ' {"name":"beta","enterDevMode":false,"from":"main"}',
    '✓ Created branch beta\n',
  ],
  [
    ['dm', 'create-branch', '7', 'beta', '--dev-mode'],
    `POST ${build}/branches`,
    { active: true, branchName: "dev-ada's", parentBranch: 'beta' },
    ' {"name":"beta","enterDevMode":true}',
    "✓ Created branch beta; entered dev mode on dev-ada's\nPass --branch 'dev-ada'\\''s' to write there, or omit it.\n",
  ],
  [
    ['dm', 'delete-branch', '7', 'a/b', '--remove-on-upstream'],
    `DELETE ${build}/branches`,
    { success: true },
    '?branchName=a%2Fb&removeOnUpstream=true',
    '✓ Deleted branch a/b, including its ref on the git provider\n',
  ],
  [
    ['dm', 'enable-branch', '7', 'beta'],
    `PUT ${build}/branches/staging-environment`,
    { data: {} },
    ' {"branchName":"beta","enabled":true}',
    '✓ Enabled branch beta; its staging environment stays active (see `hedron environments list 7 --type staging`)\n',
  ],
  [
    ['dm', 'disable-branch', '7', 'beta'],
    `PUT ${build}/branches/staging-environment`,
    { data: {} },
    ' {"branchName":"beta","enabled":false}',
    '✓ Disabled branch beta; its staging environment is active only while viewed\n',
  ],
  [
    ['dm', 'dev-mode', '7', 'main'],
    `POST ${build}/dev-mode`,
    { active: true, branchName: 'dev-ada-main', parentBranch: 'main' },
    ' {"branchName":"main"}',
    "✓ Entered dev mode on dev-ada-main (forked from main)\nPass --branch 'dev-ada-main' to work there, or omit it.\n",
  ],
  [
    ['dm', 'dev-mode', '7', 'main'],
    `POST ${build}/dev-mode`,
    { active: true, branchName: ' ', parentBranch: null },
    ' {"branchName":"main"}',
    '✓ Entered dev mode on main\n',
  ],
  [['dm', 'exit-dev-mode', '7'], `DELETE ${build}/dev-mode`, { success: true }, '', '✓ Exited dev mode\n'],
  [
    ['dm', 'commit', '7', '-m', 'Message', '--branch', ''],
    `POST ${build}/commit`,
    { success: true },
    ' {"message":"Message","branchName":""}',
    '✓ Committed and pushed\n',
  ],
  [['dm', 'pull', '7'], `POST ${build}/pull`, { buildTriggered: false }, '', '✓ Pulled\n'],
  [
    ['dm', 'pull', '7', '--branch', 'b', '--resolved'],
    `POST ${build}/pull`,
    { buildTriggered: true },
    ' {"branchName":"b","resolveMergeConflict":true}',
    '✓ Pulled\n',
  ],
  [
    ['dm', 'merge', '7', '--squash'],
    `POST ${build}/merge`,
    { merged: true, branchDeleted: false },
    ' {"squashCommits":true,"switchToParentBranch":false,"deleteBranch":false}',
    json({ branchDeleted: false, merged: true }),
  ],
  [
    ['dm', 'merge-to-default', '7', '--branch', 'b', '--keep-branch', '-m', 'M'],
    `POST ${build}/merge-to-default`,
    { merged: true, branchDeleted: false },
    ' {"message":"M","removeBranchAfterMerge":false,"branchName":"b"}',
    json({ branchDeleted: false, merged: true }),
  ],
  [
    ['api', 'get', '/api/v1/users?first=1', '-q', 'first=2', '-q', 'search=a b'],
    'GET /api/v1/users',
    { a: 1 },
    '?first=1&first=2&search=a+b',
    json({ a: 1 }),
  ],
  [['api', 'DELETE', '/x', '-d', '{"a":1}'], 'DELETE /x', null, ' {"a":1}', 'null\n'],
]

describe('one command, one request', () => {
  test.each(cases)('hedron %j', async (argv, route, answer, request, stdout) => {
    bench.server.on(route, { body: answer })
    const result = await bench.run(argv)
    expect(bench.server.log()).toEqual([`${route}${request}`])
    expect(result).toMatchObject({ exitCode: 0, stdout, stderr: '' })
    expect(bench.server.requests[0]?.headers.authorization).toBe(`Api-Key ${apiKey}`)
    expect(bench.server.requests[0]?.headers['content-type']).toBe(
      bench.server.requests[0]?.body === undefined ? undefined : 'application/json',
    )
  })
})

describe('lists', () => {
  const route = 'GET /api/v1/deployments'

  test('repeat a key for each value', async () => {
    bench.server.on(route, { body: page([]) })
    await bench.run(['deployments', 'ls', '--creation-step', 'ready', '--creation-step', 'demo', '--offset', '5'])
    expect(bench.server.log()).toEqual([`${route}?creationStep=ready&creationStep=demo&offset=5`])
  })

  test('say when there is more, beside the result', async () => {
    bench.server.on(route, { body: page([flights], "c'1") })
    const result = await bench.run(['deployments', 'list'])
    expect(result.stderr).toBe("more: --after 'c'\\''1'\n")
    expect(result.stdout).toContain('Flights')
  })

  test('--all follows the pages into one', async () => {
    bench.server.on(route, [{ body: page([flights], 'c1') }, { body: page([deployment(8, 'Trains')]) }])
    const result = await bench.run(['deployments', 'list', '--all', '--json'])
    expect(bench.server.log()).toEqual([`${route}?first=1000`, `${route}?first=1000&after=c1`])
    expect(JSON.parse(result.stdout)).toMatchObject({
      items: [{ id: 7 }, { id: 8 }],
      pageInfo: { hasNextPage: false },
    })
    expect(result.stderr).toBe('')
  })

  test('a cursor that does not move ends --all', async () => {
    bench.server.on(route, { body: page([flights], 'same') })
    expect((await bench.run(['deployments', 'list', '--all'])).exitCode).toBe(0)
    expect(bench.server.requests).toHaveLength(2)
  })

  test.each([
    ['deployments', 'list'],
    ['environments', 'list', '7'],
    ['environments', 'tokens', '7', '3'],
  ])('%s %s refuses both ways of paging', async (...argv) => {
    const result = await bench.run([...argv, '--limit', '1', '--first', '1'])
    expect(result).toMatchObject({
      exitCode: 1,
      stderr: 'error: --offset/--limit are deprecated and cannot be combined with --first/--after\n',
    })
    expect(bench.server.requests).toHaveLength(0)
  })
})

describe('--data', () => {
  const route = 'PUT /api/v1/deployments/7'

  test('comes inline, from a file or from the standard input', async () => {
    bench.server.on(route, { body: {} })
    const path = join(bench.folder, 'body.json')
    await writeFile(path, '{"name":"from a file"}')
    await bench.run(['deployments', 'update', '7', '-d', `@${path}`])
    await bench.run(['deployments', 'update', '7', '--data', '-'], { input: '{"name":"from the input"}' })
    expect(bench.server.log()).toEqual([`${route} {"name":"from a file"}`, `${route} {"name":"from the input"}`])
  })

  test.each([
    ['{', '--data is not valid JSON: '],
    ['[]', '--data must be a JSON object'],
    ['null', '--data must be a JSON object'],
    ['@/nowhere/x.json', 'failed to read /nowhere/x.json: ENOENT'],
  ])('%j is refused before a request', async (data, message) => {
    const result = await bench.run(['deployments', 'update', '7', '-d', data])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain(`error: ${message}`)
    expect(bench.server.requests).toHaveLength(0)
  })

  test.each([
    [['api', 'GET', '/x', '-d', '{}'], 'carries no body'],
    [['api', 'GET', 'x'], 'does not begin with /'],
    [['environments', 'create-token', '7', '3', '--security-context', '{}', '--expires-in', '3601'], 'more than 3600'],
    [['deployments', 'create'], '--name is required (or provide it via --data)'],
  ])('%j is a mistake in the arguments', async (argv, message) => {
    const result = await bench.run(argv)
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain(message)
  })
})

describe('deployments delete', () => {
  const remove = 'DELETE /api/v1/deployments/7'
  const setUp = () => {
    bench.server.on('GET /api/v1/deployments/7', { body: flights })
    bench.server.on(remove, { body: { success: true } })
  }

  test('--yes does not ask', async () => {
    setUp()
    expect((await bench.run(['deployments', 'delete', '7', '--yes'])).stdout).toBe('✓ Deleted deployment 7\n')
    expect(bench.server.log()).toEqual([remove])
  })

  test('the name must be typed', async () => {
    setUp()
    const confirmed = await bench.run(['deployments', 'delete', '7'], { answers: ['Flights'] })
    expect(confirmed.exitCode).toBe(0)
    expect(confirmed.stderr).toBe('This will delete deployment 7 for good. Type Flights to confirm: ')
    const refused = await bench.run(['deployments', 'delete', '7'], { answers: ['flights'] })
    expect(refused.exitCode).toBe(1)
    expect(bench.server.log().filter(line => line === remove)).toHaveLength(1)
  })

  test('nobody to ask means no', async () => {
    setUp()
    expect(await bench.run(['deployments', 'rm', '7'])).toMatchObject({
      exitCode: 1,
      stderr: 'error: refusing to delete deployment 7 for good without a terminal to confirm on: pass --yes\n',
    })
    expect(bench.server.log()).toEqual(['GET /api/v1/deployments/7'])
  })
})

test('merge-to-default asks a person and not a script', async () => {
  bench.server.on(`POST ${build}/merge-to-default`, { body: { merged: true, branchDeleted: true } })
  const argv = ['dm', 'merge-to-default', '7']
  const refused = await bench.run(argv, { answers: [''] })
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toContain(
    'merge the open dev-mode branch into the deploy branch and rebuild production. Continue? [y/N]',
  )
  expect(bench.server.requests).toHaveLength(0)
  expect((await bench.run(argv, { answers: ['y'] })).exitCode).toBe(0)
  expect((await bench.run([...argv, '--yes'], { answers: [] })).exitCode).toBe(0)
  expect((await bench.run(argv)).exitCode).toBe(0)
  expect(bench.server.requests).toHaveLength(3)
})

test.each(['delete-branch', 'dev-mode', 'disable-branch', 'enable-branch', 'create-branch'])(
  'data-model %s refuses a blank branch before anything is sent',
  async name => {
    const result = await bench.run(['data-model', name, '7', ' '])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain('an empty value names no branch')
    expect(bench.server.requests).toHaveLength(0)
  },
)

test('the rights that are missing are named', async () => {
  const message = 'This needs the permission SchemaUpdate on deployment 7. An administrator can grant it.'
  bench.server.on(`POST ${build}/merge`, refusal(403, 'permission_missing', message))
  expect((await bench.run(['dm', 'merge', '7'])).stderr).toBe(`error: forbidden (403): ${message}\n`)
})
