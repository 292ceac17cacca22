import { routeList } from '@hedron/contract'
import { describe, expect, test } from 'vitest'
import { browserModule } from '../support/browser-modules.ts'
import { servedDocument, servedOperations } from '../support/served-document.ts'

const { readReference } = await browserModule('operations.js')

describe('of the served document', () => {
  test('each operation is there once, under its tag', async () => {
    const { groups, count } = readReference(servedDocument)
    const shown = groups.flatMap(({ name, operations }) =>
      operations.map(({ id, method, path }) => [name, id, method, path].join(' ')),
    )
    const served = routeList.map(({ tags, operationId, method, path }) =>
      [tags[0], operationId, method.toUpperCase(), path].join(' '),
    )
    expect(shown.toSorted()).toEqual(served.toSorted())
    expect(count).toBe(routeList.length)
    expect(new Set(groups.map(({ slug }) => slug)).size).toBe(groups.length)
  })

  test('says who may call each', async () => {
    const shown = new Map((await servedOperations()).map(({ id, access }) => [id, access]))
    for (const { operationId, access } of routeList) {
      const permission = typeof access === 'object' ? access.permission : undefined
      const wanted =
        typeof access === 'string'
          ? { kind: access }
          : { kind: 'permission', anyOf: typeof permission === 'string' ? [permission] : permission }
      expect([operationId, shown.get(operationId)]).toEqual([operationId, wanted])
    }
  })

  test('has the codes of each refusal apart from its meaning', async () => {
    const refusals = (await servedOperations()).flatMap(operation => operation.refusals)
    expect(refusals.filter(({ codes }) => codes.length === 0)).toEqual([])
    expect(refusals.filter(({ meaning }) => meaning.includes('Codes'))).toEqual([])
    const getDeployment = (await servedOperations()).find(({ id }) => id === 'getDeployment')
    expect(getDeployment?.refusals.find(({ status }) => status === '403')).toMatchObject({
      meaning: 'The credential may not do this.',
      codes: ['permission_missing', 'deployment_out_of_scope'],
    })
  })
})

describe('of any document', () => {
  test('shared parameters, bodies and responses are followed; an own parameter replaces the shared one', () => {
    const { groups } = readReference({
      paths: {
        '/a/{id}': {
          parameters: [
            { name: 'id', in: 'path', schema: { type: 'string' } },
            { $ref: '#/components/parameters/Page' },
          ],
          get: {
            parameters: [{ name: 'id', in: 'path', description: 'own', schema: { type: 'integer' } }],
            requestBody: { $ref: '#/components/requestBodies/Thing' },
            responses: { 200: { $ref: '#/components/responses/Done' }, default: { description: 'Anything else.' } },
          },
        },
      },
      components: {
        parameters: { Page: { name: 'page', in: 'query', required: true, schema: { type: 'integer' } } },
        requestBodies: { Thing: { content: { 'application/json': { schema: { type: 'object' } } } } },
        responses: { Done: { description: 'Fine.' } },
      },
    })
    expect(groups[0]?.operations[0]).toMatchObject({
      id: 'get--a-id-',
      method: 'GET',
      parameters: [
        { name: 'id', place: 'path', required: true, description: 'own', schema: { type: 'integer' } },
        { name: 'page', place: 'query', required: true },
      ],
      body: { mediaType: 'application/json', required: false, schema: { type: 'object' } },
      answers: [{ status: '200', description: 'Fine.' }],
      refusals: [{ status: 'default', meaning: 'Anything else.', codes: [] }],
    })
  })

  test('operations of the same name stay apart', () => {
    const { groups } = readReference({
      paths: { '/a': { get: { operationId: 'x' } }, '/b': { get: { operationId: 'x' } } },
    })
    expect(groups.flatMap(({ name, operations }) => [name, ...operations.map(({ id }) => id)])).toEqual([
      'Other',
      'x',
      'x-2',
    ])
  })

  test.each([null, 7, 'text', [], {}, { paths: null }, { paths: { '/a': 3, '/b': { get: 'no' }, '/c': null } }])(
    '%j has no operations',
    document => {
      expect(readReference(document)).toMatchObject({ groups: [], count: 0 })
    },
  )
})
