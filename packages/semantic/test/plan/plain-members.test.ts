import { expect, test } from 'vitest'
import { secureModel } from '../../src/access/secured-index.ts'
import { foreignPaths } from '../../src/plan/join-conditions.ts'
import { joinPathsIn, joinPathsOf } from '../../src/plan/join-paths.ts'
import { buildJoinTree } from '../../src/plan/join-tree.ts'
import { isOfOwnTable } from '../../src/plan/own-table.ts'
import { memberSql } from '../../src/resolve/check-references.ts'
import { readCorpus } from '../fuzz/corpus.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'

const models = readCorpus().sound.map(modelOf)

const membersOf = (model: ReturnType<typeof modelOf>) =>
  model.cubes.flatMap(cube =>
    [...cube.measures, ...cube.dimensions, ...cube.segments].map(member => ({ cube: cube.name, member })),
  )

test('a member that is seen to need its own table alone needs, by the way to all that it refers to, its own table alone', () => {
  let plain = 0
  for (const model of models) {
    const index = secureModel(model, everyone)
    for (const { cube, member } of membersOf(model)) {
      if (!isOfOwnTable(index, cube, member)) continue
      plain += 1
      const paths = memberSql(member).flatMap(sql => joinPathsIn(index, sql, [cube]))
      expect(
        paths.filter(path => path.join() !== cube),
        `${cube}.${member.name}`,
      ).toEqual([])
      expect(joinPathsOf(index, cube, member.name, [cube])).toEqual([[cube]])
    }
  }
  expect(plain).toBeGreaterThan(500)
})

test('a calculation with measures of its own cube needs its own table, one with a measure of another cube does not', () => {
  const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: users, sql: '{CUBE}.user_id = {users.id}', relationship: many_to_one }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures:
      - { name: count, type: count }
      - { name: large, type: count, filters: [{ sql: '{CUBE}.size > 9' }] }
      - { name: share, sql: '{large} / {count}', type: number }
      - { name: each, sql: '{count} / {users.count}', type: number }
      - { name: lately, type: count, rolling_window: { trailing: 7 day } }
      - { name: share_lately, sql: '{lately} / {count}', type: number }
  - name: users
    sql_table: users
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: count, type: count }]
`)
  const index = secureModel(model, everyone)
  const isPlain = (name: string) => isOfOwnTable(index, 'orders', index.member('orders', name))
  expect(['share', 'large', 'each', 'lately', 'share_lately'].map(isPlain)).toEqual([true, true, false, false, false])
})

test('a condition of a join that is seen to be of its two tables refers to no third', () => {
  let joins = 0
  for (const model of models) {
    const index = secureModel(model, everyone)
    for (const { name, joins: own } of model.cubes) {
      for (const join of own) {
        joins += 1
        const edge = { from: name, to: join.target, relationship: join.relationship, join }
        const all = joinPathsIn(index, join.condition, [name])
        const foreign = all.filter(path => path.at(-1) !== name && path.at(-1) !== join.target)
        expect(foreignPaths(index, edge)).toEqual(foreign)
      }
    }
  }
  expect(joins).toBeGreaterThan(100)
})

test('the first root with which nothing is joined beside what is asked for is the root, and no other has fewer joins', () => {
  let pairs = 0
  for (const model of models) {
    const index = secureModel(model, everyone)
    for (const { name: one } of model.cubes) {
      for (const { name: other } of model.cubes) {
        const paths = [[one], [other]]
        const sizes = [one, other].map(root => {
          try {
            return buildJoinTree(index, paths, [root]).edges.length
          } catch {
            return Number.POSITIVE_INFINITY
          }
        })
        const fewest = Math.min(...sizes)
        if (fewest === Number.POSITIVE_INFINITY) continue
        pairs += 1
        const tree = buildJoinTree(index, paths)
        expect(tree.edges.length).toBe(fewest)
        expect(tree.root).toBe(sizes[0] === fewest ? one : other)
      }
    }
  }
  expect(pairs).toBeGreaterThan(200)
})

test.for([
  ['tax', '"orders".tax'],
  ['Currency', '"orders".Currency'],
  ['_1', '"orders"._1'],
  ['null', 'null'],
  ['TRUE', 'TRUE'],
  ['current_date', 'current_date'],
  ['localtimestamp', 'localtimestamp'],
  ['currently', '"orders".currently'],
  ['1', '1'],
  ['größe', 'größe'],
])(
  'the SQL %s of a dimension is written %s: a name alone is a column, a word of SQL and all else are not',
  ([sql, written]) => {
    const model = modelOf(`cubes:
  - { name: orders, sql_table: orders, dimensions: [{ name: it, sql: '${sql}', type: string }] }
`)
    expect(compileFor(model, { dimensions: ['orders.it'] }).sql).toContain(`\n  ${written} AS "orders__it"`)
  },
)

test('a caller is given the model as he may see it, whoever asked the same model before', () => {
  const [model] = models
  if (!model) throw new Error('there are models')
  const one = { ...everyone, groups: ['one'] }
  const other = { ...everyone, groups: ['other'] }
  const own = secureModel(model, one)
  expect(secureModel(model, one)).toBe(own)
  expect(secureModel(model, other).access.context).toBe(other)
  expect(secureModel(model, one).access.context).toBe(one)
})
