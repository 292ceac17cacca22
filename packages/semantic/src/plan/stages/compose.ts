import type { SecuredIndex } from '../../access/secured-index.ts'
import { queryError } from '../../messages/query-messages.ts'
import type { MeasureMember } from '../../resolve/model-index.ts'
import type { BoundSql, Switch } from '../../shapes/model.ts'
import type { Condition, Expression, From, Output, Selection } from '../../shapes/plan.ts'
import { choiceCase } from '../choice.ts'
import { decided } from './choices.ts'
import { memberId, type Referring, type StagePlanning } from './planning.ts'
import { columnOf, type Place, relationOf, type Table } from './stage-tables.ts'
import { isStaged, isTransparent, referredMeasure } from './staged-measures.ts'
import { type GrainItem, referredItem, type State } from './state.ts'

/** Measures of one state side by side: one row for each group that any of them has. */
export interface Composition {
  readonly from: From
  readonly grain: readonly Output[]
  readonly neverNull: ReadonlySet<string>
  column(item: GrainItem): Expression
  value(member: MeasureMember): Expression
  /** SQL of `member` that stands for a value of a group: it refers to measures and to dimensions of the grain. */
  expand(member: Referring, sql: BoundSql): Expression
  /** The branch of `member` for the value that a dimension of the grain has. */
  choose(member: Referring, choice: Switch): Expression
}

/** The measures that SQL of a member refers to. */
export function measuresIn(index: SecuredIndex, member: Referring, sqls: readonly BoundSql[]): MeasureMember[] {
  return sqls.flatMap(({ parts }) =>
    parts.flatMap(part => {
      if (typeof part === 'string' || part.kind !== 'member') return []
      return index.member(part.cube, part.member).kind === 'measure' ? [referredMeasure(index, member, part)] : []
    }),
  )
}

/** Computes measures for the same groups. Groups that only some have are there, with null for the measures of the others. */
export function compose(
  planning: StagePlanning,
  measures: readonly MeasureMember[],
  anchor: MeasureMember | null,
  state: State,
): Composition {
  const places = placeAll(planning, measures, anchor, state)
  const tables = [...new Map([...places.tables].map(table => [table.name, table])).values()]
  const { from, groups, neverNull } = sideBySide(tables, state.grain)
  const column = ({ alias }: GrainItem) => columnOf({ name: groups }, alias)
  const value = (asked: MeasureMember): Expression => {
    const member = decided(asked, state)
    const place = places.byMeasure.get(memberId(member))
    if (place) return columnOf(place.table, place.column)
    const { sql } = member.definition
    if (!sql) throw new Error(`'${memberId(member)}' was placed in no stage`)
    return expand(member, sql)
  }
  const expand = (member: Referring, sql: BoundSql): Expression => {
    const parts = sql.parts.map(part => {
      if (typeof part === 'string') return part
      if (part.kind !== 'member' && part.kind !== 'granularity') {
        throw new Error(`'${memberId(member)}' refers to rows, and stands for groups`)
      }
      const target = planning.index.member(part.cube, part.member)
      if (target.kind === 'measure') return value(referredMeasure(planning.index, member, part))
      const granularity = part.kind === 'granularity' ? part.granularity : null
      const key = granularity === null ? `${part.cube}.${part.member}` : `${part.cube}.${part.member}.${granularity}`
      const item = referredItem(state.grain, key)
      if (item) return column(item)
      throw queryError('stage_dimension', { measure: memberId(member), dimension: key })
    })
    const [only] = parts
    return parts.length === 1 && only !== undefined && typeof only !== 'string' ? only : { kind: 'sql', parts }
  }
  const choose = (member: Referring, choice: Switch): Expression => {
    const key = `${choice.cube}.${choice.dimension}`
    const item = referredItem(state.grain, key)
    if (!item) throw queryError('stage_dimension', { measure: memberId(member), dimension: key })
    return choiceCase(choice, item.member.definition.type, column(item), sql => expand(member, sql))
  }
  const grain = state.grain.map(item => ({ alias: item.alias, expression: column(item) }))
  return { from, grain, neverNull, column, value, expand, choose }
}

/** Finds the tables that hold what measures are calculated from. */
function placeAll(
  planning: StagePlanning,
  measures: readonly MeasureMember[],
  anchor: MeasureMember | null,
  state: State,
) {
  const { index } = planning
  const plain = new Map<string, MeasureMember>()
  const byMeasure = new Map<string, Place>()
  const visited = new Set<string>()
  const visit = (asked: MeasureMember) => {
    const member = decided(asked, state)
    const id = memberId(member)
    if (visited.has(id)) return
    visited.add(id)
    const { definition } = member
    if (!isStaged(index, member.cube.name, definition)) plain.set(id, member)
    else if (isTransparent(index, definition)) {
      for (const part of definition.sql?.parts ?? []) {
        if (typeof part === 'string' || part.kind !== 'member') continue
        if (index.member(part.cube, part.member).kind === 'measure') visit(referredMeasure(index, member, part))
      }
    } else byMeasure.set(id, planning.place(member, state))
  }
  for (const measure of measures) visit(measure)
  const tables: Table[] = []
  if (plain.size > 0 || byMeasure.size === 0) {
    const table = planning.leaf([...plain.values()], anchor, state)
    tables.push(table)
    for (const [id, member] of plain) byMeasure.set(id, { table, column: table.column(member) })
  }
  tables.push(...[...byMeasure.values()].map(({ table }) => table))
  return { byMeasure, tables }
}

/** Joins tables of the same grain: the groups of all of them, each once, then each table where it has the group. */
function sideBySide(tables: readonly Table[], grain: readonly GrainItem[]) {
  const [first] = tables
  if (!first) throw new Error('No stage computes anything')
  if (tables.length === 1) {
    return { from: { root: relationOf(first), joins: [] }, groups: first.name, neverNull: first.neverNull }
  }
  if (grain.length === 0) {
    const joins = tables.slice(1).map(table => ({ relation: relationOf(table), on: null }))
    return { from: { root: relationOf(first), joins }, groups: first.name, neverNull: first.neverNull }
  }
  const groups = 'groups'
  const parts = tables.map(
    (table): Selection => ({
      kind: 'selection',
      from: { root: relationOf(table), joins: [] },
      where: [],
      grain: grain.map(({ alias }) => ({ alias, expression: columnOf(table, alias) })),
      outputs: [],
      grouped: false,
      having: [],
    }),
  )
  const joins = tables.map(table => ({
    relation: relationOf(table),
    on: sameGroup(grain, { name: groups }, table, table.neverNull),
  }))
  const neverNull = new Set(grain.flatMap(({ key }) => (tables.every(table => table.neverNull.has(key)) ? [key] : [])))
  const root = { alias: groups, source: { kind: 'appended', parts, isDistinct: true }, isQuery: true } as const
  return { from: { root, joins }, groups, neverNull }
}

/** Whether rows of two tables are of the same group. Where a column is never null, equality is enough, and faster. */
export function sameGroup(
  grain: readonly GrainItem[],
  left: Pick<Table, 'name'>,
  right: Pick<Table, 'name'>,
  neverNull: ReadonlySet<string>,
): Condition {
  const conditions = grain.map(
    ({ key, alias }): Condition => ({
      kind: 'comparison',
      left: columnOf(left, alias),
      operator: neverNull.has(key) ? '=' : 'same',
      right: columnOf(right, alias),
    }),
  )
  return { kind: 'and', conditions }
}
