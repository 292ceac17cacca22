import fc from 'fast-check'
import type { SourceFile } from '../../../src/index.ts'
import { moments } from '../data/moments.ts'
import type { Cell, DataSet, Table } from './data-set.ts'

/** A tree of tables: each but the first is joined from an earlier one. */
export interface GeneratedModel {
  readonly data: DataSet
  readonly files: readonly SourceFile[]
  readonly cubes: readonly string[]
}

interface JoinShape {
  /** Place of the table that declares the join. */
  readonly from: number
  readonly relationship: 'many_to_one' | 'one_to_many' | 'one_to_one'
}

const cubeName = (place: number) => `t${place}`

const joinShape = (place: number): fc.Arbitrary<JoinShape> =>
  fc.record({
    from: fc.nat(place - 1),
    relationship: fc.constantFrom('many_to_one', 'one_to_many', 'one_to_one'),
  })

/** Rows without their keys: what is counted, grouped and filtered, with nulls. */
const row = fc.tuple(
  fc.constantFrom('a', 'B', 'c%', "d'", null),
  fc.oneof(
    fc.integer({ min: -500, max: 500 }).map(cents => cents / 4),
    fc.constant(null),
  ),
  fc.oneof(fc.constantFrom(...moments), fc.constant(null)),
  fc.constantFrom(true, false, null),
  // A key of another table, some of which no table has.
  fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(null)),
)

/** Models of two to five tables with rows of their own. */
const generatedModel = (name: string): fc.Arbitrary<GeneratedModel> =>
  fc
    .integer({ min: 1, max: 4 })
    .chain(count =>
      fc.record({
        joins: fc.tuple(...Array.from({ length: count }, (_, place) => joinShape(place + 1))),
        rows: fc.array(fc.array(row, { maxLength: 7 }), { minLength: count + 1, maxLength: count + 1 }),
      }),
    )
    .map(({ joins, rows }) => ({
      data: {
        name,
        tables: Object.fromEntries(rows.map((cells, place) => [cubeName(place), table(cells, joins, place)])),
      },
      files: [{ path: 'model/model.yml', content: `cubes:\n${rows.map((_, place) => cube(place, joins)).join('')}` }],
      cubes: rows.map((_, place) => cubeName(place)),
    }))

/** As many of them, the same for the same seed, each with data of another name. */
export function sampleModels(prefix: string, count: number, seed: number): readonly GeneratedModel[] {
  return Array.from({ length: count }, (_, place) => {
    const [model] = fc.sample(generatedModel(`${prefix}_${place}`), { seed: seed + place, numRuns: 1 })
    if (!model) throw new Error('fast-check gives as many samples as it is asked for')
    return model
  })
}

type Row = readonly [string | null, number | null, string | null, boolean | null, number | null]

/** Each table has a column for each table beside it in the tree; values of a one to one join are used once. */
function table(rows: readonly Row[], joins: readonly JoinShape[], place: number): Table {
  const foreign = joins.flatMap((join, index) => (holder(join, index + 1) === place ? [index + 1] : []))
  const isSingle = joins.some(
    ({ from, relationship }, index) => relationship === 'one_to_one' && (from === place || index + 1 === place),
  )
  return {
    columns: {
      id: 'integer',
      kind: 'varchar',
      amount: 'decimal(12, 2)',
      happened_at: 'timestamp',
      flag: 'boolean',
      ...Object.fromEntries(foreign.map(other => [`key_${other}`, 'integer'])),
    },
    rows: rows.map(([kind, amount, at, flag, key], index): Cell[] => [
      index + 1,
      kind,
      amount,
      at,
      flag,
      ...foreign.map(other => (isSingle ? index + 2 : key === null ? null : ((key + other) % 7) + 1)),
    ]),
  }
}

/** The table that holds the key of a join: the side of the many. */
const holder = ({ from, relationship }: JoinShape, to: number) => (relationship === 'one_to_many' ? to : from)

function cube(place: number, joins: readonly JoinShape[]): string {
  const name = cubeName(place)
  const own = joins.flatMap(({ from, relationship }, index) => {
    if (from !== place) return []
    const to = cubeName(index + 1)
    const sql =
      relationship === 'one_to_many' ? `{CUBE}.id = {${to}}.key_${index + 1}` : `{CUBE}.key_${index + 1} = {${to}}.id`
    return [`      - { name: ${to}, sql: "${sql}", relationship: ${relationship} }\n`]
  })
  return `  - name: ${name}
    sql_table: ${name}
${own.length > 0 ? `    joins:\n${own.join('')}` : ''}    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: kind, sql: kind, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: flag, sql: flag, type: boolean }
      - { name: at, sql: happened_at, type: time }
      - name: size
        type: string
        case: { when: [{ sql: "{amount} > 20", label: large }, { sql: "{flag}", label: flagged }], else: { label: other } }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: mean, sql: "{amount}", type: avg }
      - { name: most, sql: amount, type: max }
      - { name: kinds, sql: kind, type: count_distinct }
      - { name: flagged, sql: amount, type: sum, filters: [{ sql: "{flag}" }] }
      - { name: each, sql: "{total} / NULLIF({count}, 0)", type: number }
    segments:
      - { name: large, sql: "{amount} > 20 OR {kind} = 'a'" }
`
}

/** Questions about a generated model; many need joins that the model does not have, and are refused. */
export function generatedQuery({ cubes }: GeneratedModel): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const members = (...names: string[]) =>
    fc.constantFrom(...cubes.flatMap(cube => names.map(name => `${cube}.${name}`)))
  const measure = members('count', 'total', 'mean', 'most', 'kinds', 'flagged', 'each')
  const text = fc.constantFrom('a', 'b', 'c%', '%', "d'", 'large')
  const filter = fc.oneof(
    fc.record({
      member: members('kind', 'size'),
      operator: fc.constantFrom('equals', 'notEquals', 'in', 'notIn'),
      // Where null is alone in a list, the field's SQL is broken.
      values: fc.tuple(text, fc.constantFrom(['B'], [null], [], ['a', null])).map(([first, more]) => [first, ...more]),
    }),
    fc.record({
      member: members('kind', 'size'),
      operator: fc.constantFrom('contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith', 'notEndsWith'),
      // With null alone the field leaves the filter out.
      values: fc.tuple(text, fc.constantFrom(['B'], [null], [])).map(([first, more]) => [first, ...more]),
    }),
    fc.record({
      member: members('amount'),
      operator: fc.constantFrom('equals', 'notEquals', 'gt', 'gte', 'lt', 'lte'),
      values: fc.array(fc.constantFrom('1', '2.5', '-10', '50', '0'), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      member: members('id'),
      operator: fc.constantFrom('equals', 'notEquals', 'gt', 'lte'),
      values: fc.array(fc.constantFrom('1', '2', '5'), { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      member: members('at'),
      operator: fc.constantFrom('inDateRange', 'notInDateRange', 'beforeDate', 'afterOrOnDate', 'onTheDate'),
      values: fc.constantFrom(['2024-01-01', '2024-06-30'], ['2024-03-10'], ['2024-11-03', '2024-12-31']),
    }),
    fc.record({
      member: members('flag'),
      operator: fc.constant('equals'),
      values: fc.constantFrom(['true'], ['false']),
    }),
    fc.record({ member: members('kind', 'amount', 'flag', 'at'), operator: fc.constantFrom('set', 'notSet') }),
  )
  const having = fc.record({
    member: members('count', 'kinds', 'total'),
    operator: fc.constantFrom('gt', 'lte', 'equals', 'notEquals', 'set', 'notSet'),
    values: fc.constantFrom(['1'], ['0'], ['2', '5']),
  })
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Auckland')
  const time = fc.record(
    {
      dimension: members('at'),
      granularity: fc.constantFrom('hour', 'day', 'week', 'month', 'quarter', 'year'),
      dateRange: fc.constantFrom(['2024-01-01', '2024-12-31'], ['2024-03-10', '2024-10-27']),
    },
    { requiredKeys: ['dimension'] },
  )
  const query = fc.record(
    {
      measures: fc.uniqueArray(measure, { minLength: 1, maxLength: 4 }),
      dimensions: fc.uniqueArray(members('kind', 'size', 'flag', 'id'), { maxLength: 2 }),
      timeDimensions: fc.array(time, { maxLength: 1 }),
      filters: fc.array(
        fc.oneof(
          { weight: 3, arbitrary: filter },
          { weight: 1, arbitrary: having },
          { weight: 1, arbitrary: fc.record({ or: fc.array(filter, { minLength: 1, maxLength: 3 }) }) },
          { weight: 1, arbitrary: fc.record({ and: fc.array(filter, { minLength: 1, maxLength: 2 }) }) },
        ),
        { maxLength: 2 },
      ),
      segments: fc.array(members('large'), { maxLength: 1 }),
      total: fc.boolean(),
      direction: fc.constantFrom('asc', 'desc'),
      timezone: zone,
    },
    { requiredKeys: ['measures', 'timezone'] },
  )
  return query.map(({ direction, ...asked }) => {
    const by = asked.dimensions?.[0] ?? asked.measures[0]
    return direction === undefined || by === undefined ? asked : { ...asked, order: [[by, direction]] }
  })
}
