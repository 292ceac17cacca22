import { oncePerObject } from '../once-per-object.ts'
import type {
  BoundSql,
  Cube,
  Dimension,
  DimensionExpression,
  Measure,
  ModelFilter,
  Segment,
  Stage,
  StageFilter,
  Switch,
} from '../shapes/model.ts'
import type { Position } from '../shapes/source.ts'
import type { MemberSpec, Names } from './names.ts'
import { memberReferences } from './sql-references.ts'

/** A member that stands for more pieces of SQL than this would make queries that nothing can run. */
const sizeLimit = 10_000

/** Targets of each reference by the id of the member that refers; members that refer to none are left out. */
type References = ReadonlyMap<string, readonly string[]>

interface Walk {
  targetsOf(id: string): readonly string[] | undefined
  /** How many pieces of SQL each member visited stands for. */
  readonly sizes: Map<string, number>
  circle(path: readonly string[]): void
  tooLarge(id: string): void
}

/** Reports members that refer to each other in a circle, and members that expand to too much SQL. */
export function checkReferences(cubes: readonly Cube[], names: Names): void {
  const suspect = cubes.filter(cube => !isSoundAlone(cube))
  if (suspect.length === 0) return
  const references = new Map(cubes.map(cube => [cube.name, referencesOf(cube)]))
  const report = (id: string, log: (at: Position) => void) => {
    const spec = specOf(id, names)
    if (spec) log(spec.spec.name.at)
  }
  const walk: Walk = {
    targetsOf: id => references.get(id.slice(0, id.indexOf('.')))?.get(id),
    sizes: new Map(),
    circle: path => report(path[0] ?? '', at => names.log.report(at, 'reference_circle', { path })),
    tooLarge: id => report(id, at => names.log.report(at, 'reference_too_deep', { of: `'${id}'`, limit: sizeLimit })),
  }
  for (const cube of suspect) for (const id of referencesOf(cube).keys()) visit(id, walk)
}

const referencesOf = oncePerObject((cube: Cube): References => {
  const references = new Map<string, readonly string[]>()
  const add = (member: Dimension | Measure | Segment) => {
    const referred: string[] = []
    for (const sql of memberSql(member)) if (!isText(sql)) referred.push(...referredMembers(sql))
    if (isStaged(member)) referred.push(...stageMembers(member))
    if (referred.length > 0) references.set(`${cube.name}.${member.name}`, referred)
    for (const { name, sql } of calendarSql(member)) {
      references.set(`${cube.name}.${member.name}.${name}`, referredMembers(sql))
    }
  }
  for (const dimension of cube.dimensions) add(dimension)
  for (const measure of cube.measures) add(measure)
  for (const segment of cube.segments) add(segment)
  return references
})

const isText = ({ parts }: BoundSql): boolean => parts.every(part => typeof part === 'string')

const isStaged = (member: Dimension | Measure | Segment): boolean =>
  (member.kind === 'measure' && member.stage !== null) ||
  (member.kind === 'dimension' && member.expression.kind === 'stage')

/** Whether a cube's members refer to no other cube's, and nothing is wrong with how they refer to each other. */
const isSoundAlone = oncePerObject((cube: Cube): boolean => {
  const references = referencesOf(cube)
  if (references.size === 0) return true
  const isOwn = (id: string) => id.startsWith(`${cube.name}.`)
  if (![...references.values()].every(targets => targets.every(isOwn))) return false
  let isSound = true
  const fail = () => {
    isSound = false
  }
  const walk: Walk = { targetsOf: id => references.get(id), sizes: new Map(), circle: fail, tooLarge: fail }
  for (const id of references.keys()) visit(id, walk)
  return isSound
})

/** Depth first without recursion: a chain of references can be longer than the stack. */
function visit(start: string, { targetsOf, sizes, circle, tooLarge }: Walk): void {
  const path: { readonly id: string; readonly targets: readonly string[]; next: number }[] = []
  const onPath = new Set<string>()
  const enter = (id: string, targets: readonly string[] | undefined) => {
    if (!targets || sizes.has(id)) return
    path.push({ id, targets, next: 0 })
    onPath.add(id)
  }
  enter(start, targetsOf(start))
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const { id, targets } = top
    const target = targets[top.next]
    top.next += 1
    if (target === undefined) {
      const size = targets.reduce((sum, referred) => sum + (sizes.get(referred) ?? 1), 1)
      sizes.set(id, size > sizeLimit ? 1 : size)
      if (size > sizeLimit) tooLarge(id)
      onPath.delete(id)
      path.pop()
    } else if (onPath.has(target)) {
      circle([...path.slice(path.findIndex(step => step.id === target)).map(step => step.id), target])
    } else {
      enter(target, targetsOf(target))
    }
  }
}

function specOf(id: string, names: Names): MemberSpec | undefined {
  const [cube = '', member = ''] = id.split('.')
  return names.membersOf(cube)?.get(member)
}

/** SQL that a calendar has for a granularity in place of cutting time: only what asks for that granularity stands on it. */
export const calendarSql = (member: Dimension | Measure | Segment) =>
  member.kind !== 'dimension' || member.granularities.length === 0
    ? []
    : member.granularities.flatMap(({ name, bucket }) =>
        bucket.kind === 'calendar' ? [{ name, sql: bucket.sql }] : [],
      )

/** Every piece of SQL that a member is made of. */
export function memberSql(member: Dimension | Measure | Segment): readonly BoundSql[] {
  if (member.kind === 'segment') return [member.sql]
  if (member.kind === 'measure') return measureSql(member)
  return expressionSql(member.expression)
}

/** What a member depends on beside the SQL of its stage. */
function stageMembers(member: Dimension | Measure | Segment): readonly string[] {
  const included = (filter: StageFilter | null) => filter?.include.flatMap(filteredMembers) ?? []
  const named = (references: Stage['grain']['include']) =>
    references.map(({ cube, dimension }) => `${cube}.${dimension}`)
  if (member.kind === 'segment') return []
  if (member.kind === 'measure') {
    return member.stage ? [...named(member.stage.grain.include), ...included(member.stage.filter)] : []
  }
  if (member.expression.kind !== 'stage') return []
  const { include, filter } = member.expression.stage
  return [...named(include), ...included(filter)]
}

function filteredMembers(filter: ModelFilter): readonly string[] {
  if ('and' in filter) return filter.and.flatMap(filteredMembers)
  return 'or' in filter ? filter.or.flatMap(filteredMembers) : [filter.member]
}

function expressionSql(expression: DimensionExpression): readonly BoundSql[] {
  if (expression.kind === 'switch') return []
  if (expression.kind === 'stage') return expressionSql(expression.stage.value)
  if (expression.kind === 'choice') return choiceSql(expression.choice)
  if (expression.kind === 'sql' || expression.kind === 'subQuery') return [expression.sql]
  if (expression.kind === 'geo') return [expression.latitude, expression.longitude]
  if (expression.kind === 'address') {
    const values = expression.params.map(({ value }) => value)
    return 'sql' in expression.base ? [expression.base.sql, ...values] : values
  }
  const labels = [...expression.when.map(({ label }) => label), ...(expression.otherwise ? [expression.otherwise] : [])]
  return [
    ...expression.when.map(({ condition }) => condition),
    ...labels.flatMap(label => ('sql' in label ? [label.sql] : [])),
  ]
}

function measureSql({ sql, filters, stage }: Measure): readonly BoundSql[] {
  const own = sql ? [sql, ...filters] : filters
  if (!stage) return own
  const { orderBy, cases } = stage
  return [...own, ...orderBy.map(order => order.sql), ...(cases ? choiceSql(cases) : [])]
}

/** A switch is nothing that is read. */
function choiceSql({ cube, dimension, through, isChosen, when, otherwise }: Switch): readonly BoundSql[] {
  const on: BoundSql = { parts: [{ kind: 'member', cube, member: dimension, through }] }
  return [...(isChosen ? [] : [on]), ...when.map(branch => branch.sql), ...(otherwise ? [otherwise] : [])]
}

const referredMembers = (sql: BoundSql): string[] =>
  memberReferences(sql).flatMap(part => {
    if (part.kind !== 'member' && part.kind !== 'granularity') return []
    const id = `${part.cube}.${part.member}`
    return part.kind === 'member' ? [id] : [id, `${id}.${part.granularity}`]
  })
