import { expect, test } from 'vitest'
import { catalog } from '../src/catalog.ts'
import { globalParameters } from '../src/framework/global-options.ts'
import { parseArguments } from '../src/framework/program.ts'
import { page } from './support/fixtures.ts'
import { useBench } from './support/run-hedron.ts'

const bench = useBench()
const build = '/build/api/v1/deployments/7'
const content = '/api/v1/deployments/7'

type Case = [argv: string[], route: string, answer: unknown, next: string]

const cases: Case[] = [
  [
    ['deployments', 'create', '--name', 'x'],
    'POST /build/api/v1/deployments',
    { id: 9 },
    'deployments build-status 9 --wait',
  ],
  [['deployments', 'update', '7', '--name', 'x'], `PUT ${content}`, {}, 'deployments settings 7'],
  [['deployments', 'update', '7', '--release-channel', 'latest'], `PUT ${content}`, {}, 'deployments versions 7'],
  [['deployments', 'delete', '7', '--yes'], `DELETE ${content}`, {}, 'deployments list'],
  [['variables', 'set', '7', 'A=1'], `PUT ${content}/env-vars`, page([]), 'deployments build-status 7 --wait'],
  [['dm', 'put', '7', 'a.yml', '--content', ''], `PUT ${build}/data-model/files`, {}, 'validate 7 --dev-mode'],
  [
    ['dm', 'rm', '7', 'a.yml', '--branch', "it's"],
    `DELETE ${build}/data-model/files`,
    {},
    "validate 7 --branch 'it'\\''s'",
  ],
  [['dm', 'create-branch', '7', 'b'], `POST ${build}/branches`, { branchName: 'b' }, "data-model dev-mode 7 'b'"],
  [['dm', 'delete-branch', '7', 'b'], `DELETE ${build}/branches`, {}, 'data-model branches 7'],
  [['dm', 'dev-mode', '7', 'b'], `POST ${build}/dev-mode`, { branchName: 'dev-b' }, 'validate 7 --dev-mode'],
  [['dm', 'commit', '7'], `POST ${build}/commit`, {}, 'data-model merge-to-default 7 --plan'],
  [['dm', 'merge-to-default', '7', '--yes'], `POST ${build}/merge-to-default`, {}, 'deployments build-status 7 --wait'],
  [['validate', '7', '--dev-mode'], `GET ${build}/data-model/validate`, { valid: true }, 'data-model commit 7'],
  [['folders', 'create', '7', '--name', 'x'], `POST ${content}/folders`, { id: 3 }, 'workbooks create 7 --folder 3'],
  [
    ['workbooks', 'create', '7'],
    `POST ${content}/workbooks`,
    { id: 5 },
    'reports create 7 --workbook 5 -d @report.json',
  ],
  [
    ['workbooks', 'dashboard', '7', '5', '-d', '{}'],
    `PUT ${content}/workbooks/5/dashboard`,
    {},
    'workbooks publish 7 5',
  ],
  [
    ['workbooks', 'publish', '7', '5'],
    `POST ${content}/workbooks/5/publish`,
    { publicId: '4JYn' },
    'embed enable-dashboard 4JYn',
  ],
  [
    ['reports', 'create', '7', '--workbook', '5'],
    `POST ${content}/reports`,
    { id: 2 },
    'workbooks dashboard 7 5 -d @dashboard.json',
  ],
  [['reports', 'refresh', '7', '2'], `PUT ${content}/reports/2/refresh`, {}, 'reports get 7 2'],
  [
    ['workspace', 'move', '7', '--type', 'REPORT', '--id', '2'],
    `POST ${content}/workspace/move`,
    {},
    'workspace list 7 --folder 0',
  ],
  [['users', 'create', '-d', '{}'], 'POST /api/v1/users', { id: 4 }, 'users sign-in-link 4'],
  [['groups', 'create', '--name', 'x'], 'POST /api/v1/user-groups', { id: 4 }, 'groups members list 4'],
  [['api-keys', 'create', '--name', 'x'], 'POST /api/v1/api-keys', { id: 'k' }, 'api-keys list'],
  [['api-keys', 'delete', 'k'], 'DELETE /api/v1/api-keys/k', {}, 'api-keys list'],
  [['tenant', 'update', '-d', '{}'], 'PUT /api/v1/tenant/settings', {}, 'tenant settings'],
  [
    ['embed', 'generate-session', '-d', '{}'],
    'POST /api/v1/embed/generate-session',
    { sessionId: 'ab' },
    'embed token --session-id ab',
  ],
  [['dbt', 'cancel', '7', 'j'], `DELETE ${content}/dbt-sync/j`, {}, 'dbt history 7'],
]

/** The words of a command line as a shell would see them. */
const words = (line: string): readonly string[] =>
  Array.from(line.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g), ([word]) =>
    word.replaceAll("\\'", '\u0000').replaceAll("'", '').replaceAll('\u0000', "'"),
  )

test.each(cases)('after %j comes a command that can be read', async (argv, route, answer, next) => {
  bench.server.on(route, { body: answer })
  const { exitCode, stderr } = await bench.run(argv, { terminal: true })
  expect(exitCode).toBe(0)
  expect(stderr).toContain(`Next: hedron ${next}`)
  const silent = { write: () => {}, isTerminal: false }
  const { command, texts } = await parseArguments(words(next), {
    catalog,
    globals: globalParameters,
    effects: { stdout: silent, stderr: silent, environment: {} },
    onCommand: () => {},
  })
  command.prepare(texts)
})

test('programs are told nothing, and neither is whoever failed', async () => {
  const route = 'GET /build/api/v1/deployments/7/data-model/validate'
  bench.server.on(route, { body: { valid: true } })
  expect((await bench.run(['validate', '7'])).stderr).toBe('')
  expect((await bench.run(['validate', '7', '--json'], { terminal: true })).stderr).toBe('')
  bench.server.on(route, { body: { valid: false } })
  expect((await bench.run(['validate', '7'], { terminal: true })).stderr).not.toContain('Next:')
})

test('an id that is no word is not made one', async () => {
  bench.server.on('POST /api/v1/users', { body: { id: '4; rm -rf /' } })
  expect((await bench.run(['users', 'create', '-d', '{}'], { terminal: true })).stderr).not.toContain('Next:')
})
