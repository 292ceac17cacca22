import { describe, expect, test } from 'vitest'
import type { SchemaNode } from '../../../src/pages/assets/types.d.ts'
import { browserModule } from '../support/browser-modules.ts'
import { servedDocument, servedOperations } from '../support/served-document.ts'

const { describeSchema, childrenOf } = await browserModule('schema-tree.js')

const document = {
  components: {
    schemas: {
      User: {
        type: 'object',
        description: 'A person.',
        properties: { id: { type: 'integer' }, email: { type: 'string', format: 'email' } },
        required: ['id'],
      },
      Branch: {
        type: 'object',
        properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Branch' } },
      },
      Tree: {
        type: 'object',
        properties: {
          left: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          byName: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Tree' } },
        },
      },
      Loop: { $ref: '#/components/schemas/Pool' },
      Pool: { $ref: '#/components/schemas/Loop' },
      'Odd/name~': { type: 'string', enum: ['a', 'b'] },
    },
  },
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

interface Plain {
  name: string
  type: string
  required: boolean
  below: Plain[]
}

/** Everything below a node, opened. */
const open = (where: unknown, node: SchemaNode): Plain[] =>
  childrenOf(where, node).map(({ name, required, node: inner }) => ({
    name,
    type: inner.type,
    required,
    below: open(where, inner),
  }))

describe('the type in words', () => {
  test.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: ['string', 'integer'] }, 'string or integer'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
    [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, 'integer or string'],
    [{ anyOf: [ref('User'), { type: 'string' }, { type: 'null' }] }, 'User or string or null'],
    [{ type: 'array', items: { type: 'array', items: ref('User') } }, 'list of list of User'],
    [{ type: 'array' }, 'list'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'map of boolean'],
    [{ type: 'object', additionalProperties: {} }, 'object'],
    [{ type: 'object', properties: {} }, 'object'],
    [ref('User'), 'User'],
    [ref('Odd~1name~0'), 'string'],
    [{ const: 'on' }, 'string'],
    [{ enum: [1, 'one', null] }, 'number or string or null'],
    [{}, 'any value'],
    [true, 'any value'],
    ['nonsense', 'any value'],
    [ref('Nobody'), 'unknown (#/components/schemas/Nobody)'],
    [{ $ref: 'https://elsewhere.example/schema' }, 'unknown (https://elsewhere.example/schema)'],
    [ref('Loop'), 'Loop'],
  ])('%j is %s', (schema, words) => {
    expect(describeSchema(document, schema).type).toBe(words)
  })
})

describe('limits in words', () => {
  test.each([
    [{ type: 'integer', minimum: 1, maximum: 100 }, ['1 to 100']],
    [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, ['at least 1']],
    [{ type: 'integer', minimum: -Number.MAX_SAFE_INTEGER, maximum: 0 }, ['at most 0']],
    [{ type: 'number', exclusiveMinimum: 0 }, ['at least 0 (not included)']],
    [{ type: 'string', minLength: 1 }, ['at least 1 character']],
    [{ type: 'string', minLength: 1, maxLength: 10240 }, ['1 to 10,240 characters']],
    [
      { type: 'string', minLength: 40, maxLength: 40, pattern: '^[0-9a-f]+$' },
      ['exactly 40 characters', 'matches ^[0-9a-f]+$'],
    ],
    [
      { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', maxLength: 5 } },
      ['at least 1 item', 'no duplicates', 'each at most 5 characters'],
    ],
    [{ type: 'object', maxProperties: 3 }, ['at most 3 entries']],
    [{ type: 'boolean', default: false }, ['default false']],
    [{ anyOf: [{ type: 'integer', minimum: 2 }, { type: 'null' }] }, ['at least 2']],
    [{ type: 'string' }, []],
  ])('%j: %j', (schema, limits) => {
    expect(describeSchema(document, schema).limits).toEqual(limits)
  })

  test('values are plain among strings and JSON among others', () => {
    expect(describeSchema(document, { enum: ['a', 'b'] }).values).toEqual(['a', 'b'])
    expect(describeSchema(document, { enum: ['1', 1, null] }).values).toEqual(['"1"', '1', 'null'])
    expect(describeSchema(document, { const: true }).values).toEqual(['true'])
    expect(describeSchema(document, { type: 'array', items: ref('Odd~1name~0') }).values).toEqual(['a', 'b'])
  })
})

describe('what is below', () => {
  test('an object has its properties, a list those of its items, a map those of its values', () => {
    const below = [
      { name: 'id', type: 'integer', required: true, below: [] },
      { name: 'email', type: 'string (email)', required: false, below: [] },
    ]
    const holders = [
      ref('User'),
      { type: 'array', items: ref('User') },
      { type: 'object', additionalProperties: ref('User') },
    ]
    for (const schema of holders) expect(open(document, describeSchema(document, schema))).toEqual(below)
  })

  test('parts of allOf are one object', () => {
    const schema = {
      allOf: [ref('User'), { type: 'object', properties: { file: { type: 'string' } }, required: ['file'] }],
    }
    expect(open(document, describeSchema(document, schema)).map(({ name, required }) => [name, required])).toEqual([
      ['id', true],
      ['email', false],
      ['file', true],
    ])
  })

  test('alternatives are listed when there is something to say of one', () => {
    const plain = describeSchema(document, { anyOf: [{ type: 'string' }, { type: 'integer' }] })
    expect([plain.expandable, childrenOf(document, plain)]).toEqual([false, []])
    const telling = describeSchema(document, { anyOf: [ref('User'), { type: 'integer', minimum: 1 }] })
    expect(childrenOf(document, telling).map(({ name, kind, node }) => [kind, name, node.type])).toEqual([
      ['alternative', '1', 'User'],
      ['alternative', '2', 'integer'],
    ])
  })

  test('a description beside a reference wins over the one behind it', () => {
    expect(describeSchema(document, ref('User')).description).toBe('A person.')
    expect(describeSchema(document, { ...ref('User'), description: 'Who wrote it.' }).description).toBe('Who wrote it.')
  })

  test('a schema inside itself is named and not opened again', () => {
    const node = describeSchema(document, ref('Tree'))
    expect(childrenOf(document, node).map(({ name, node: inner }) => [name, inner.type, inner.expandable])).toEqual([
      ['left', 'Tree or null', false],
      ['children', 'list of Tree', false],
      ['byName', 'map of Tree', false],
    ])
    const branch = childrenOf(document, describeSchema(document, ref('Branch')))
    expect(branch.map(({ node: inner }) => inner.recursive)).toEqual([null, 'Branch'])
  })

  test('every schema of the served document opens to its end, with no reference that leads nowhere', async () => {
    const shapes = (await servedOperations()).flatMap(({ parameters, body, answers, refusals }) => [
      ...parameters.map(({ schema }) => schema),
      ...(body === null ? [] : [body.schema]),
      ...answers.map(({ schema }) => schema),
      ...refusals.map(({ schema }) => schema),
    ])
    const nodes = shapes.flatMap(schema => {
      const node = describeSchema(servedDocument, schema)
      return [{ name: '', type: node.type, required: false, below: open(servedDocument, node) }]
    })
    const flat = (list: readonly Plain[]): Plain[] => list.flatMap(node => [node, ...flat(node.below)])
    const all = flat(nodes)
    expect(all.length).toBeGreaterThan(500)
    expect(all.filter(({ type }) => type === '' || type.includes('unknown'))).toEqual([])
  })
})
