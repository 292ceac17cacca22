import type { DimensionMember, MeasureMember } from '../../resolve/model-index.ts'
import type { BoundSql, DimensionStage, GrainReference, Label } from '../../shapes/model.ts'
import type { Expression, Selection } from '../../shapes/plan.ts'
import { snakeCase } from '../aliases.ts'
import { absent, chosenBranch } from '../choice.ts'
import { stageOfDimension } from '../sub-query-members.ts'
import { type Composition, compose, measuresIn } from './compose.ts'
import { applyFilter, itemOf, keptFilter, onReference } from './inner-state.ts'
import { memberId, type StagePlanning } from './planning.ts'
import { isStageDimension } from './stage-dimension-members.ts'
import type { Place } from './stage-tables.ts'
import { bindingKey, type GrainItem, type State } from './state.ts'

/**
 * Computes a multi-stage dimension for the groups of the query, made finer by what it adds to them, and under the query's
 * filters on everything else. It has one value in each such group, in whatever state it is looked at: labels of groups that
 * stand side by side mean the same.
 */
export function placeDimension(planning: StagePlanning, member: DimensionMember, state: State): Place {
  const stage = stageOfDimension(member.definition)
  if (!stage) throw new Error(`'${member.id}' is not multi-stage`)
  return planning.once(`dimension ${memberId(member)} ${bindingKey(state)}`, () => {
    const groups = groupState(planning, member, stage, state)
    const sqls = valueSql(stage, member, groups)
    // Others that it refers to have one value in each of its groups.
    const others = referredDimensions(planning, member, sqls, groups.grain)
    const inner = { ...groups, grain: [...groups.grain, ...others] }
    const composition = compose(planning, groupingMeasures(planning, member, stage, groups), null, inner)
    const { cube, definition } = member
    const column = planning.names.take(`${snakeCase(cube.name)}__${snakeCase(definition.name)}_of_group`)
    const expression = valueIn(stage, member, composition, groups)
    const name = planning.addStage(
      snakeCase(definition.name),
      (): Selection => ({
        kind: 'selection',
        from: composition.from,
        where: [],
        grain: groups.grain.map(item => ({ alias: item.alias, expression: composition.column(item) })),
        outputs: [{ alias: column, expression }],
        grouped: false,
        having: [],
      }),
    )
    return { table: { name, grain: groups.grain, neverNull: composition.neverNull }, column }
  })
}

/** The groups that a dimension is computed for, and the rows in them. */
function groupState(planning: StagePlanning, member: DimensionMember, stage: DimensionStage, outer: State): State {
  const { index, root } = planning
  const isOfRows = (id: string) => {
    const [cube = '', name = ''] = id.split('.')
    return stageOfDimension(index.member(cube, name)) === null
  }
  const state: State = {
    ...root,
    bindings: outer.bindings,
    rowBindings: outer.rowBindings,
    isWhole: false,
    grain: root.grain.filter(item => !isStageDimension(item.member)),
    ranges: root.ranges.filter(range => !isStageDimension(range.member)),
    rowFilters: root.rowFilters.flatMap(filter => keptFilter(index, filter, isOfRows) ?? []),
  }
  const known = new Set(state.grain.map(({ key }) => key))
  const included = includedReferences(stage).map(reference => itemOf(planning, member, reference))
  const added = included.filter(({ key }) => !known.has(key))
  const filtered = stage.filter ? applyFilter(planning, member, { ...stage.filter, isFixed: false }, state) : state
  return { ...filtered, grain: [...state.grain, ...added] }
}

function includedReferences({ value, include }: DimensionStage): readonly GrainReference[] {
  return value.kind === 'choice' && !value.choice.isChosen ? [...include, onReference(value.choice)] : include
}

/** Multi-stage dimensions in the SQL of another, where the groups of this one are fine enough for them. */
function referredDimensions(
  planning: StagePlanning,
  member: DimensionMember,
  sqls: readonly BoundSql[],
  grain: readonly GrainItem[],
): GrainItem[] {
  const known = new Set(grain.map(({ key }) => key))
  const found = new Map<string, GrainItem>()
  for (const part of sqls.flatMap(({ parts }) => parts)) {
    if (typeof part === 'string' || (part.kind !== 'member' && part.kind !== 'granularity')) continue
    const stage = stageOfDimension(planning.index.member(part.cube, part.member))
    if (!stage) continue
    const granularity = part.kind === 'granularity' ? part.granularity : null
    const reference = { cube: part.cube, dimension: part.member, granularity, through: part.through }
    const item = itemOf(planning, member, reference)
    const isFine = includedReferences(stage).every(inner => known.has(itemOf(planning, item.member, inner).key))
    if (isFine) found.set(item.key, item)
  }
  return [...found.values()]
}

/** The measures whose groups those of a dimension are: its own, or where it has none, those of dimensions that it refers to. */
function groupingMeasures(
  planning: StagePlanning,
  member: DimensionMember,
  stage: DimensionStage,
  groups: State,
): MeasureMember[] {
  const sqls = valueSql(stage, member, groups)
  const own = measuresIn(planning.index, member, sqls)
  if (own.length > 0) return own
  return referredDimensions(planning, member, sqls, groups.grain).flatMap(item => {
    const inner = stageOfDimension(item.member.definition)
    return inner ? groupingMeasures(planning, item.member, inner, groups) : []
  })
}

/** The SQL of the value in a state: of a switch's branches, only that of the chosen one. */
function valueSql({ value }: DimensionStage, member: DimensionMember, state: State): readonly BoundSql[] {
  if (value.kind === 'sql') return [value.sql]
  if (value.kind === 'choice') {
    const { choice } = value
    if (choice.isChosen) return [chosen(value, member, state) ?? []].flat()
    return [...choice.when.map(({ sql }) => sql), ...(choice.otherwise ? [choice.otherwise] : [])]
  }
  const labels = [...value.when.map(({ label }) => label), ...(value.otherwise ? [value.otherwise] : [])]
  return [
    ...value.when.map(({ condition }) => condition),
    ...labels.flatMap(label => ('sql' in label ? [label.sql] : [])),
  ]
}

type Choice = Extract<DimensionStage['value'], { kind: 'choice' }>

const chosen = ({ choice }: Choice, member: DimensionMember, { bindings }: State) =>
  chosenBranch(choice, bindings.get(`${choice.cube}.${choice.dimension}`), memberId(member))

function valueIn(
  { value }: DimensionStage,
  member: DimensionMember,
  composition: Composition,
  state: State,
): Expression {
  const expand = (sql: BoundSql) => composition.expand(member, sql)
  if (value.kind === 'sql') return expand(value.sql)
  if (value.kind === 'choice') {
    if (!value.choice.isChosen) return composition.choose(member, value.choice)
    const sql = chosen(value, member, state)
    return sql ? expand(sql) : absent
  }
  const label = (written: Label): Expression =>
    'sql' in written ? expand(written.sql) : { kind: 'value', value: { type: 'text', value: written.text } }
  return {
    kind: 'case',
    when: value.when.map(({ condition, label: written }) => ({
      condition: { kind: 'sql', expression: expand(condition) },
      result: label(written),
    })),
    otherwise: value.otherwise ? label(value.otherwise) : null,
  }
}
