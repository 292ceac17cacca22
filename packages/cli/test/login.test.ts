import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { administrator, refusal } from './support/fixtures.ts'
import { apiKey, useBench } from './support/run-hedron.ts'

const bench = useBench()
const me = 'GET /api/v1/users/me'

describe('login', () => {
  test('checks the key, saves it privately and makes it the one in use', async () => {
    bench.server.on(me, { body: administrator })
    const result = await bench.run(['login', '--url', `${bench.server.url}/`, '--api-key', apiKey], { anonymous: true })
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(result.stdout).toBe(`✓ Logged in as admin@localhost (context 'default', saved to ${bench.configPath})\n`)
    expect(bench.server.requests).toHaveLength(1)
    expect(bench.server.requests[0]?.headers).toMatchObject({
      authorization: `Api-Key ${apiKey}`,
      'user-agent': 'hedron-cli/0.1.0',
    })
    expect(await readFile(bench.configPath, 'utf8')).toBe(
      `default_context = "default"\n\n[contexts.default]\nurl = "${bench.server.url}"\napi_key = "${apiKey}"\n`,
    )
    expect((await stat(bench.configPath)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(bench.configPath))).mode & 0o777).toBe(0o700)

    const whoami = await bench.run(['whoami'], { anonymous: true })
    expect(whoami).toMatchObject({ exitCode: 0, stdout: 'admin@localhost (admin)\nid: 1\nrole: admin\n' })
  })

  test('reads the key from the standard input and keeps it out of the result', async () => {
    bench.server.on(me, { body: administrator })
    const argv = ['login', '--url', bench.server.url, '--api-key', '-', '--name', 'production', '--json']
    const result = await bench.run(argv, { anonymous: true, input: `${apiKey}\n` })
    expect(JSON.parse(result.stdout)).toEqual({
      context: 'production',
      email: 'admin@localhost',
      path: bench.configPath,
      url: bench.server.url,
    })
    expect(await readFile(bench.configPath, 'utf8')).toContain(`api_key = "${apiKey}"`)
  })

  test('saves nothing when the server refuses the key', async () => {
    bench.server.on(me, refusal(401, 'not_authenticated', 'The API key is revoked.'))
    const result = await bench.run(['login', '--url', bench.server.url, '--api-key', 'sk-bad'], { anonymous: true })
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toBe(
      `error: unauthorized (401): ${bench.server.url} refused the key: The API key is revoked.\n`,
    )
    await expect(stat(bench.configPath)).rejects.toThrow('ENOENT')
  })
})

describe('contexts', () => {
  const logIn = async (name: string) => {
    bench.server.on(me, { body: administrator })
    const argv = ['login', '--url', bench.server.url, '--api-key', apiKey, '--name', name]
    expect(await bench.run(argv, { anonymous: true })).toMatchObject({ exitCode: 0 })
  }

  test('are listed, chosen and removed; the first by name takes the place of a removed default', async () => {
    for (const name of ['zulu', 'alpha', 'mike']) await logIn(name)
    const { url } = bench.server
    expect((await bench.run(['context', 'list'])).stdout.split('\n').map(line => line.trimEnd())).toEqual([
      '   NAME   URL',
      `   alpha  ${url}`,
      `*  mike   ${url}`,
      `   zulu   ${url}`,
      '',
    ])
    expect((await bench.run(['context', 'use', 'zulu'])).stdout).toBe("✓ Switched to context 'zulu'\n")
    expect((await bench.run(['logout'])).stdout).toBe("✓ Removed context 'zulu'\n")
    expect(JSON.parse((await bench.run(['context', 'list', '--json'])).stdout)).toEqual([
      { default: true, name: 'alpha', url: bench.server.url },
      { default: false, name: 'mike', url: bench.server.url },
    ])
    expect((await bench.run(['logout', '--name', 'zulu'])).stdout).toBe("✓ No saved credentials for context 'zulu'\n")
  })

  test('can be named on any command and must exist', async () => {
    await logIn('alpha')
    expect((await bench.run(['--context', 'alpha', 'whoami'], { anonymous: true })).exitCode).toBe(0)
    const result = await bench.run(['whoami', '--context', 'beta'])
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toBe('error: context `beta` not found in config (run `hedron login --name beta`)\n')
    expect((await bench.run(['context', 'use', 'beta'])).exitCode).toBe(1)
  })

  test('a run without any credential says what to do', async () => {
    const result = await bench.run(['whoami'], { anonymous: true })
    expect(result).toMatchObject({
      exitCode: 1,
      stderr:
        'error: not logged in: run `hedron login`, or set HEDRON_API_URL and HEDRON_API_KEY (or pass --api-url/--token)\n',
    })
  })
})
