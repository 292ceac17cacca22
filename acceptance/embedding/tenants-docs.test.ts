import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createKey, sharedApi } from '../support/api.ts'
import { tenantName } from '../support/embed-tenants.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
const api = sharedApi()

test('the commands of docs/embedding.md on embed tenants do what it says', async () => {
  const [, section = ''] = /^## Embed tenants\n(.*?)^## /ms.exec(page) ?? []
  const [, code = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? []
  expect(code).toContain('acme-corp')
  // A tenant of its own: other tests may have one of that name.
  const command = code.replaceAll('acme-corp', tenantName())
  const env = { PATH: process.env.PATH ?? '', HEDRON_API_URL: api.baseUrl, HEDRON_API_KEY: await createKey(api) }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { env, timeout: 60_000 })
  const answers = stdout.split(/(?<=\})(?=\{)/).map(text => JSON.parse(text))
  expect(answers).toMatchObject([
    { name: 'sales', userCount: 0 },
    { succeeded: [{ externalId: 'crm-17', firstName: 'Ann' }, { externalId: 'crm-18' }], failed: [] },
    { items: [{ externalId: 'crm-17' }], pageInfo: { hasNextPage: false } },
  ])
})
