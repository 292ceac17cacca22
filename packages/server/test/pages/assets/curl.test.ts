import { spawnSync } from 'node:child_process'
import { routeList } from '@hedron/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { browserModule } from '../support/browser-modules.ts'
import { servedDocument, servedOperations } from '../support/served-document.ts'

const { curlOf, shellWord } = await browserModule('curl.js')
const operations = await servedOperations()

/** What a POSIX shell would give to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }\n${command}`
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { HEDRON_API_KEY: 'the key' },
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\0').slice(0, -1)
}

function commandOf(id: string): string {
  const operation = operations.find(each => each.id === id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return curlOf(servedDocument, operation, 'http://localhost:4000')
}

describe('a command', () => {
  test('names the method, the address and the key in the environment', () => {
    expect(commandOf('getDeployment')).toBe(
      'curl -s http://localhost:4000/api/v1/deployments/1 \\\n  -H "Authorization: Api-Key $HEDRON_API_KEY"',
    )
    expect(argumentsOf(commandOf('deleteDeployment'))).toEqual([
      '-s',
      '-X',
      'DELETE',
      'http://localhost:4000/api/v1/deployments/1',
      '-H',
      'Authorization: Api-Key the key',
    ])
  })

  test('sends no key to what is open to everyone', () => {
    expect(commandOf('getSpec')).toBe('curl -s http://localhost:4000/api/v1/spec')
  })

  test('sends a file as a form', () => {
    const sent = argumentsOf(commandOf('uploadFile'))
    expect(sent).toContain('file=@FILE')
    expect(sent).toContain('-F')
    expect(sent.filter(argument => argument.startsWith('Content-Type'))).toEqual([])
  })

  test('keeps hostile names and values in their place', () => {
    const hostile = `'; touch /tmp/x; echo "$(id)" \`id\` \\`
    const operation = {
      ...(operations[0] ?? expect.fail('the document is empty')),
      method: 'PUT',
      path: '/a/{id}',
      parameters: ['path', 'query', 'header'].map(place => ({
        name: place === 'path' ? 'id' : hostile,
        place,
        required: true,
        deprecated: false,
        description: '',
        schema: { default: hostile },
      })),
      body: { mediaType: 'application/json', required: true, schema: { const: hostile } },
    }
    const [, , , address = '', ...rest] = argumentsOf(curlOf(servedDocument, operation, 'http://host'))
    const url = new URL(address)
    expect(decodeURIComponent(url.pathname)).toBe(`/a/${hostile}`)
    expect([...url.searchParams]).toEqual([[hostile, hostile]])
    expect(rest).toEqual([
      '-H',
      'Authorization: Api-Key the key',
      '-H',
      `${hostile}: ${hostile}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify(hostile),
    ])
  })

  const withBody = routeList.filter(({ body, consumes }) => body !== undefined && consumes !== 'multipart')
  test.each(withBody.map(route => [route.operationId, route] as const))(
    'sends what the contract accepts: %s',
    (id, { body }) => {
      const sent = argumentsOf(commandOf(id))
      const { error } = body?.safeParse(JSON.parse(sent[sent.indexOf('-d') + 1] ?? '')) ?? {}
      expect(error).toBeUndefined()
    },
  )
})

test('a word reaches the program as it was', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: 'binary' }).filter(text => !text.includes('\0')),
        { minLength: 1, maxLength: 20 },
      ),
      words => {
        expect(argumentsOf(`curl ${words.map(shellWord).join(' ')}`)).toEqual(words.map(word => word.toWellFormed()))
      },
    ),
    { numRuns: 20 },
  )
})
