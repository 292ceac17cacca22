import document from '@hedron/contract/openapi.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { useBench } from '../support/run-hedron.ts'

const bench = useBench()
const route = 'GET /api/v1/spec'

const small = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  servers: [{ url: '/' }],
  tags: [{ name: 'left out' }],
  paths: {
    '/trees/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      summary: 'Trees',
      delete: { summary: 'Cut a tree', operationId: 'cutTree', responses: {} },
      get: {
        summary: 'Read a tree',
        operationId: 'readTree',
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } } },
      },
    },
    '/stones': { get: { summary: 'Stones', operationId: 'stones', responses: {} } },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', schema: { $ref: '#/components/schemas/Id~1x' } } },
    schemas: {
      Tree: {
        properties: { parent: { $ref: '#/components/schemas/Tree' }, leaf: { $ref: '#/components/schemas/Leaf' } },
      },
      Leaf: { type: 'string' },
      'Id/x': { type: 'integer' },
      Stone: { type: 'string' },
    },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
}

describe('spec', () => {
  test('lists operations, whatever the case of the pattern', async () => {
    bench.server.on(route, { body: small })
    expect((await bench.run(['spec', 'CUTTREE'])).stdout).toBe(
      'METHOD  PATH         SUMMARY   \nDELETE  /trees/{id}  Cut a tree\n',
    )
    const all = (await bench.run(['spec'])).stdout.split('\n').slice(1, -1)
    expect(all.map(line => line.split(/\s+/).slice(0, 2).join(' '))).toEqual([
      'GET /trees/{id}',
      'DELETE /trees/{id}',
      'GET /stones',
    ])
  })

  test('--json gives the document, or a smaller one that stands by itself', async () => {
    bench.server.on(route, { body: small })
    expect(JSON.parse((await bench.run(['spec', '--json'])).stdout)).toEqual(small)
    const { summary, parameters, get } = small.paths['/trees/{id}']
    const { Tree, Leaf, 'Id/x': id } = small.components.schemas
    expect(JSON.parse((await bench.run(['spec', 'get /trees', '--json'])).stdout)).toEqual({
      openapi: '3.1.0',
      info: small.info,
      servers: small.servers,
      paths: { '/trees/{id}': { summary, parameters, get } },
      components: {
        parameters: small.components.parameters,
        schemas: { Tree, Leaf, 'Id/x': id },
        securitySchemes: small.components.securitySchemes,
      },
    })
  })

  test('of the real document every reference leads somewhere', async () => {
    bench.server.on(route, { body: document })
    const excerpt: unknown = JSON.parse((await bench.run(['spec', 'branches', '--json'])).stdout)
    const references = [...JSON.stringify(excerpt).matchAll(/"#\/components\/([^/"]+)\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(5)
    for (const [, section = '', name = ''] of references) expect(excerpt).toHaveProperty(['components', section, name])
    expect(JSON.stringify(excerpt).length).toBeLessThan(JSON.stringify(document).length / 2)
  })

  test('a pattern that matches nothing fails', async () => {
    bench.server.on(route, { body: small })
    expect(await bench.run(['spec', 'rivers'])).toMatchObject({
      exitCode: 1,
      stderr: "error: no operation matches 'rivers' — run 'hedron spec' to list them all\n",
    })
  })
})
