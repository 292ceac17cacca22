import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi, createKey, unique } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createVisitor, logInProgram } from '../support/visitor.ts'
import { createHedron, type Hedron } from './hedron.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'

// One of its own: settings are those of the account that every other file works in.
let platform: RunningPlatform
let hedron: Hedron
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_ADMIN_EMAIL: email, HEDRON_ADMIN_PASSWORD: password } })
  hedron = await createHedron({ baseUrl: platform.baseUrl, apiKey: platform.apiKey })
})
afterAll(async () => {
  await hedron?.dispose()
  await platform?.dispose()
})

describe('the account (cli-admin 4)', () => {
  test('users list shows who is there, and finds by a part of a name', async () => {
    const name = unique('grace')
    const body = { email: `${name}@example.com`, username: name, firstName: 'Grace' }
    const created = Object(await hedron.json('users', 'create', '-d', JSON.stringify(body)))
    expect(await hedron.succeed('users', 'list')).toMatch(/^ID +EMAIL +NAME *\n/)
    const found = await hedron.succeed('users', 'list', '--search', name)
    expect(found.trimEnd().split('\n').slice(1)).toEqual([
      expect.stringMatching(`^${created.id} +${body.email} +Grace`),
    ])
    expect(await hedron.json('users', 'list', '--search', name)).toMatchObject({
      items: [{ id: created.id, email: body.email }],
      pageInfo: { hasNextPage: false },
    })
    const nobody = unique('nobody')
    expect(await hedron.run('users', 'list', '--search', nobody)).toMatchObject({ stdout: '', stderr: 'No results\n' })
  })

  test('tenant update changes what is given, from the line, a file or the input, and leaves the rest', async () => {
    const before = Object(await hedron.json('tenant', 'settings'))
    const changed = JSON.parse(await hedron.succeed('tenant', 'update', '-d', '{"maintenanceWindowDay":"Friday"}'))
    expect(changed).toEqual({ ...before, maintenanceWindowDay: 'Friday' })
    const file = join(hedron.folder, 'settings.json')
    await writeFile(file, '{"hasSupportAccess":true}')
    expect(await hedron.json('tenant', 'update', '-d', `@${file}`)).toEqual({ ...changed, hasSupportAccess: true })
    expect(await hedron.json('tenant', 'settings')).toMatchObject({
      maintenanceWindowDay: 'Friday',
      hasSupportAccess: true,
    })

    const unknown = await hedron.run('tenant', 'update', '-d', '{"nothing":1}')
    expect(unknown).toMatchObject({ exitCode: 1, stdout: '' })
    expect(unknown.stderr).toContain('nothing')
    expect((await hedron.run('tenant', 'update')).exitCode).toBe(2)
    const apiKey = await createKey(createApi(platform.baseUrl, platform.apiKey), {
      policies: [{ resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['All'] }],
    })
    const reader = await createHedron({ baseUrl: platform.baseUrl, apiKey })
    try {
      const refused = await reader.run('tenant', 'update', '-d', '{"hasSupportAccess":false}')
      expect(refused.stderr).toMatch(/^error: forbidden \(403\)/)
    } finally {
      await reader.dispose()
    }
  })
})

describe('two programs that find the access token of one login refused', () => {
  test('both go on, round after round, and the person stays logged in', async () => {
    const visitor = createVisitor(platform.baseUrl)
    expect((await visitor.signIn(email, password)).status).toBe(303)
    const tokens = await logInProgram(platform.baseUrl, visitor)
    const person = await createHedron()
    try {
      const path = join(person.folder, '.config/hedron/config.toml')
      const save = (access: string, refresh: string) =>
        writeFile(
          path,
          `default_context = "default"\n[contexts.default]\nurl = "${platform.baseUrl}"\napi_key = "${access}"\nrefresh_token = "${refresh}"\n`,
        )
      const saved = async () => {
        const text = await readFile(path, 'utf8')
        const [access = '', refresh = ''] = ['api_key', 'refresh_token'].map(
          name => new RegExp(`^${name} = "(\\S+)"$`, 'm').exec(text)?.[1],
        )
        return { access, refresh }
      }
      await mkdir(dirname(path), { recursive: true })
      let { refresh } = tokens
      for (let round = 0; round < 12; round++) {
        // Refused as one that has ended is, and nobody has to wait for its end.
        await save(`hda_ended${round}`, refresh)
        const runs = await Promise.all([person.run('whoami', '--json'), person.run('deployments', 'list')])
        expect(
          runs.map(run => [run.exitCode, run.stderr.replace('No results\n', '')]),
          `round ${round}`,
        ).toEqual([
          [0, ''],
          [0, ''],
        ])
        expect(JSON.parse(runs[0].stdout)).toMatchObject({ email })
        const renewed = await saved()
        expect(renewed.access).not.toContain('ended')
        expect(renewed.refresh).not.toBe(refresh)
        refresh = renewed.refresh
      }
      expect(await person.succeed('whoami')).toContain(email)
    } finally {
      await person.dispose()
    }
  })
})
