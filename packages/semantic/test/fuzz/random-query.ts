import type { Model } from '../../src/index.ts'
import type { Dice } from './mutate.ts'

const operators =
  'equals notEquals in notIn contains notContains startsWith notStartsWith endsWith notEndsWith gt gte lt lte set notSet inDateRange notInDateRange onTheDate beforeDate beforeOrOnDate afterDate afterOrOnDate measureFilter nonsense'.split(
    ' ',
  )
const values = ['1', '-2.5', 'done', '2024-01-31', '2024-02-30', 'last week', "x' OR 1=1 --", '%_\\', '', null, 7, true]
const ranges = [
  'last 7 days',
  'this month',
  'from 3 days ago to now',
  ['2024-01-01', '2024-03-31'],
  ['2024-03-31'],
  'x',
]
const granularities = ['second', 'day', 'week', 'month', 'quarter', 'year', 'nonsense', undefined]
const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', undefined, undefined]

interface Members {
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly times: readonly string[]
  readonly segments: readonly string[]
}

/** Names of all that can be asked of a model. */
export function membersOf(model: Model): Members {
  const all = [
    ...model.cubes.flatMap(cube =>
      [...cube.measures, ...cube.dimensions, ...cube.segments].map(member => ({ of: cube.name, member })),
    ),
    ...model.views.flatMap(view => view.members.map(member => ({ of: view.name, member }))),
  ]
  const named = (kind: string) =>
    all.flatMap(({ of, member }) => (member.kind === kind ? [`${of}.${member.name}`] : []))
  const times = model.cubes.flatMap(cube =>
    cube.dimensions.flatMap(({ type, name }) => (type === 'time' ? [`${cube.name}.${name}`] : [])),
  )
  return { measures: named('measure'), dimensions: named('dimension'), times, segments: named('segment') }
}

/** A query that is nearly one which the model answers. */
export function randomQuery(members: Members, dice: Dice): unknown {
  const some = (from: readonly string[], most: number) =>
    Array.from({ length: from.length === 0 ? 0 : dice.roll(most + 1) }, () => dice.pick(from))
  const anyMember = () => dice.pick([...members.measures, ...members.dimensions, 'nope.nothing'])
  const filter = (depth: number): unknown => {
    if (depth < 3 && dice.roll(5) === 0) {
      return { [dice.pick(['and', 'or'])]: Array.from({ length: 1 + dice.roll(3) }, () => filter(depth + 1)) }
    }
    const count = dice.roll(3)
    return {
      member: anyMember(),
      operator: dice.pick(operators),
      values: Array.from({ length: count }, () => dice.pick(values)),
    }
  }
  const time = () => ({
    dimension: dice.pick(members.times.length > 0 ? members.times : ['nope.time']),
    granularity: dice.pick(granularities),
    ...(dice.roll(2) === 0 ? { dateRange: dice.pick(ranges) } : {}),
  })
  const measures = some(members.measures, 3)
  const dimensions = some(members.dimensions, 2)
  const selected = [...measures, ...dimensions]
  return {
    measures,
    dimensions,
    segments: dice.roll(4) === 0 ? some(members.segments, 1) : [],
    filters: Array.from({ length: dice.roll(3) }, () => filter(0)),
    timeDimensions: dice.roll(2) === 0 ? [time()] : [],
    ...(dice.roll(3) === 0 && selected.length > 0
      ? { order: [[dice.pick(selected), dice.pick(['asc', 'desc'])]] }
      : {}),
    ...(dice.roll(4) === 0 ? { ungrouped: true } : {}),
    ...(dice.roll(4) === 0 ? { total: true } : {}),
    ...(dice.roll(4) === 0 ? { limit: dice.roll(100) } : {}),
    timezone: dice.pick(zones),
  }
}
