import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { createHedron, type Hedron } from './hedron.ts'

const api = sharedApi()
let apiKey = ''
let hedron: Hedron
let id = ''
beforeAll(async () => {
  apiKey = await createKey(api)
  hedron = await createHedron({ baseUrl: api.baseUrl, apiKey })
  id = String(await createDeployment(api, { deployMode: 'cli' }))
})
afterAll(() => hedron.dispose())

describe('commands that need no server', () => {
  test('completion prints a script for each shell, and bash reads its own', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      expect(await hedron.succeed('completion', shell), shell).toContain('deployments')
    }
    expect((await hedron.run('completion', 'tcsh')).exitCode).toBe(2)
    const bash = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'pipe'] })
    const ended = new Promise<number | null>((resolve, reject) => bash.once('close', resolve).once('error', reject))
    bash.stdin.end(await hedron.succeed('completion', 'bash'))
    const [code, errors] = await Promise.all([ended, text(bash.stderr)])
    expect(code, errors).toBe(0)
  })

  test('man prints the page of a command, and writes all of them', async () => {
    expect(await hedron.succeed('man', 'data-model', 'get')).toMatch(/^\.TH/m)
    expect((await hedron.run('man', 'nothing')).exitCode).toBe(2)
    const directory = join(hedron.folder, 'man1')
    await hedron.succeed('man', '--directory', directory)
    expect(await readdir(directory)).toEqual(expect.arrayContaining(['hedron.1', 'hedron-deploy.1']))
  })
})

describe('saved logins (cli-core 8)', () => {
  test('are listed and switched between, and logout takes the one in use away', async () => {
    const saved = await createHedron()
    try {
      for (const name of ['one', 'two']) {
        await saved.succeed('login', '--url', api.baseUrl, '--api-key', apiKey, '--name', name)
      }
      expect(await saved.json('context', 'list')).toEqual([
        expect.objectContaining({ name: 'one' }),
        expect.objectContaining({ name: 'two' }),
      ])
      expect(await saved.succeed('context', 'use', 'one')).toBe("✓ Switched to context 'one'\n")
      expect(await saved.succeed('context', 'list')).toMatch(/^\* +one +http/m)
      const unknown = await saved.run('context', 'use', 'three')
      expect(unknown.exitCode).toBe(1)
      expect(unknown.stderr).toContain('three')
      expect(await saved.succeed('logout')).toBe("✓ Removed context 'one'\n")
      expect(await saved.succeed('logout', '--name', 'two')).toBe("✓ Removed context 'two'\n")
      expect((await saved.run('whoami')).exitCode).toBe(1)
      expect(await saved.json('context', 'list')).toEqual([])
    } finally {
      await saved.dispose()
    }
  })
})

describe('of a deployment', () => {
  test('environments tokens lists what create-token made (cli-core 14)', async () => {
    const environments = Object(await hedron.json('environments', 'list', id, '--type', 'production'))
    const environment = String(environments.items[0].id)
    await hedron.succeed('environments', 'create-token', id, environment, '--security-context', '{"tenant":"a"}')
    expect(await hedron.succeed('environments', 'tokens', id, environment)).toMatch(/^TOKEN +CREATED +EXPIRES/)
  })

  test('data-model merge takes a branch into its parent (cli-core 13)', async () => {
    const branch = unique('part')
    await hedron.succeed('data-model', 'create-branch', id, branch)
    await hedron.succeed('data-model', 'dev-mode', id, branch)
    await hedron.succeed('data-model', 'put', id, 'model/part.yml', '--content', 'cubes: []\n')
    await hedron.succeed('data-model', 'commit', id, '-m', 'Part')
    await hedron.succeed('data-model', 'exit-dev-mode', id)
    await hedron.succeed('data-model', 'merge', id, '--branch', branch, '--delete-branch')
    expect(await hedron.succeed('data-model', 'list', id, '--branch', 'main')).toContain('/model/part.yml')
    expect(await hedron.succeed('data-model', 'branches', id)).not.toContain(branch)
  })
})

describe('of the account (cli-admin 4)', () => {
  test('attributes and groups are listed and changed', async () => {
    const name = unique('region').replaceAll('-', '_')
    const attribute = Object(await hedron.json('attributes', 'create', '--name', name, '--type', 'string'))
    await hedron.succeed('attributes', 'update', String(attribute.id), '--display-name', 'Sales region')
    expect(await hedron.succeed('attributes', 'list', '--name', name)).toContain('Sales region')
    await hedron.succeed('attributes', 'delete', String(attribute.id))
    const group = Object(await hedron.json('groups', 'create', '--name', name))
    await hedron.succeed('groups', 'update', String(group.id), '--description', 'Everybody there')
    expect(await hedron.succeed('groups', 'list', '--search', name)).toContain('Everybody there')
    await hedron.succeed('groups', 'delete', String(group.id))
  })
})
