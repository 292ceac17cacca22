import { describe, expect, test } from 'vitest'
import { evaluateExpression } from '../../src/access/evaluate-expression.ts'
import { isExpression, parseContextExpression } from '../../src/parse/context-expression.ts'
import { everyone } from '../support/model.ts'

const context = {
  ...everyone,
  securityContext: { tenant: 'a', level: 3, admin: true, cubeCloud: { userAttributes: { x: 1 } }, tags: ['p', 'q'] },
  groups: ['red', 'blue'],
  userAttributes: { city: 'Berlin', regions: ['DE', 'FR'], none: [] },
}

function evaluate(text: string) {
  const read = parseContextExpression(text)
  if (!isExpression(read)) throw new Error(read.reason)
  return evaluateExpression(read, context)
}

test.each<[string, unknown]>([
  ["securityContext.tenant == 'a'", true],
  ['security_context.tenant === "b"', false],
  ["not securityContext.tenant == 'b'", true],
  ['!securityContext.admin', false],
  ["groups.includes('red') and securityContext.level >= 3", true],
  ["'green' in groups or 'blue' in groups", true],
  ["'green' not in groups", true],
  ['False or True and False', false],
  ['(True or False) and False', false],
  ["user_attributes.city.lower().startswith('ber')", true],
  ['userAttributes.regions[0]', 'DE'],
  ['userAttributes.regions[-1]', 'FR'],
  ["userAttributes['city']", 'Berlin'],
  ["userAttributes.get('city')", 'Berlin'],
  ["userAttributes.get('town') or 'nowhere'", 'nowhere'],
  ["userAttributes.none or ['DE']", ['DE']],
  ["'yes' if securityContext.level > 2 else 'no'", 'yes'],
  ['securityContext.level in [1, 2, -3]', false],
  ['securityContext.user_attributes?.x', undefined],
  ['securityContext.cubeCloud.user_attributes.x', 1],
  ["securityContext.tags.join('-')", 'p-q'],
  ['securityContext.tags.length', 2],
  ['securityContext.level.toString()', '3'],
  ['securityContext.nothing is None', true],
  ['securityContext.tenant is not None', true],
  ["'it\\'s'", "it's"],
])('%s', (text, value) => {
  expect(evaluate(text)).toEqual(value)
})

describe('what is not the caller’s data is not there', () => {
  test.each([
    'securityContext.constructor',
    'securityContext.__proto__',
    "securityContext['constructor']",
    "securityContext.get('hasOwnProperty')",
    'securityContext.toString',
    'groups.push',
    'groups.constructor.constructor',
    'userAttributes.city.constructor',
    'securityContext.missing.deeper.still',
    'securityContext.level.x',
  ])('%s', text => {
    expect(evaluate(text)).toBeUndefined()
  })

  test('and things of different kinds are neither equal nor in order', () => {
    for (const text of ["securityContext.level == '3'", "securityContext.level < '9'", 'securityContext.missing < 1']) {
      expect(evaluate(text)).toBe(false)
    }
  })
})

test.each([
  'process.exit()',
  'securityContext.tenant.replace("a", "b")',
  'groups.map(x => x)',
  'lambda x: x',
  'securityContext.constructor("return 1")()',
  '1 < 2 < 3',
  'a = 1',
  '`a`',
  "f'x'",
  '',
  `${'('.repeat(100)}1${')'.repeat(100)}`,
  `${'not '.repeat(5_000)}True`,
  '['.repeat(3_000),
])('is not understood: %.40s', text => {
  expect(isExpression(parseContextExpression(text))).toBe(false)
})
