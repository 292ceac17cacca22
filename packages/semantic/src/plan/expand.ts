import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import { meetsFilter } from '../operators/meets-filter.ts'
import { findGranularity } from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import type {
  BoundSql,
  CalendarPeriod,
  ContextReference,
  Cube,
  Dimension,
  DimensionExpression,
  Granularity,
  Label,
  Mask,
  Masking,
  Measure,
  MemberReference,
  SqlReference,
  Switch,
} from '../shapes/model.ts'
import type { Condition, Expression, Relation, RestrictedRows } from '../shapes/plan.ts'
import type { QueryFilter } from '../shapes/query.ts'
import type { Interval } from '../shapes/window.ts'
import { absent, choiceCase, chosenBranch } from './choice.ts'
import { filterCondition, nothing } from './conditions.ts'
import { type ExpandColumn, restateFilters } from './filter-params.ts'
import { type RuleLeaf, ruleCondition, ruleDates } from './rule-members.ts'
import { securityExpression } from './security-context.ts'

/** Turns members into expressions over the tables of one query. */
export interface Expander {
  readonly index: SecuredIndex
  readonly timezone: string
  readonly request: PlanRequest
  readonly restrictions: Restrictions
  tableAlias(cube: string): string
  /** The table of what a sub-query dimension aggregates, one row for each key of its cube. */
  subQuery(cube: string, dimension: string): SubQueryTable
  /** Cubes that the sub-queries planned so far read. */
  subQueryCubes(): readonly string[]
  readonly stages: StageValues
}

/** What a stage says of the rows that it reads. */
export interface StageValues {
  /** By how much later than its own time a row counts, where a query looks at that time dimension. */
  shiftsOf(cube: string, dimension: string): readonly Interval[]
  /** The value chosen for a switch dimension. */
  chosen(cube: string, dimension: string): string | undefined
  /** The column of a multi-stage dimension. */
  column(cube: string, dimension: string): Expression
}

/** Rows that are read as they are, with nothing chosen. */
export const noStages: StageValues = {
  shiftsOf: () => [],
  chosen: () => undefined,
  column: (cube, dimension) => {
    throw new Error(`The multi-stage dimension '${cube}.${dimension}' is asked of rows without stages`)
  },
}

/** What the SQL of a model may depend on beside the model. */
export interface PlanRequest {
  /** Filters that hold for every row which is looked for, joined by `and`. Most SQL asks for none. */
  readonly filters: () => readonly QueryFilter[]
  readonly securityContext: () => Readonly<Record<string, unknown>>
  /** The SQL is that of a table whose rows may be absent, because it is joined by an outer join. */
  readonly isOptional: boolean
}

/** Which rows of each cube may be read. */
export interface Restrictions {
  /** The rows of a cube that the caller may see; null: all of its table. */
  of(cube: string, expander: Expander): RestrictedRows | null
  /** Cubes that are read to tell which those are. */
  cubes(): readonly string[]
}

export interface SubQueryTable {
  readonly relation: Relation
  readonly on: Expression
  readonly column: MeasureReference
  /** Cubes whose rows it reads. */
  readonly cubes: readonly string[]
}

/** How a reference to a measure is replaced, which depends on where the measure is calculated. */
export type MeasureReference = (cube: string, measure: string) => Expression

const noMeasures: MeasureReference = (cube, measure) => {
  throw new Error(`SQL that is evaluated for each row refers to the measure '${cube}.${measure}'`)
}

/** Most SQL is the name of a column, and to see it letter by letter is cheaper than an expression is. */
function isColumnName(sql: string): boolean {
  if (sql.length === 0 || isDigit(sql.charCodeAt(0))) return false
  for (let position = 0; position < sql.length; position++) {
    const code = sql.charCodeAt(position)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    if (!isLetter && code !== 95 && !isDigit(code)) return false
  }
  return !'tfncl'.includes(sql.charAt(0).toLowerCase()) || !constants.test(sql)
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Words that look like a column and are none. */
const constants = /^(true|false|null|current_date|current_time|current_timestamp|localtime|localtimestamp)$/i

/** SQL of an author with its references replaced. A name alone is a column of the cube. */
export function expandSql(
  expander: Expander,
  cube: string,
  sql: BoundSql,
  measure: MeasureReference = noMeasures,
): Expression {
  const [only] = sql.parts
  if (sql.parts.length === 1 && typeof only === 'string' && isColumnName(only)) {
    return { kind: 'column', table: expander.tableAlias(cube), name: only, trusted: true }
  }
  return whole(expandParts(expander, sql, measure, []))
}

const whole = (parts: readonly (string | Expression)[]): Expression => {
  const [first] = parts
  return parts.length === 1 && first !== undefined && typeof first !== 'string' ? first : { kind: 'sql', parts }
}

/** `values` stand for the arguments that the SQL takes. */
function expandParts(
  expander: Expander,
  { parts }: BoundSql,
  measure: MeasureReference,
  values: readonly Expression[],
): (string | Expression)[] {
  const expanded: (string | Expression)[] = []
  for (let position = 0; position < parts.length; position++) {
    const part = parts[position]
    if (part === undefined || typeof part === 'string') expanded.push(part ?? '')
    else if (part.kind === 'source') expanded.push(...wholeSource(expander, part.cube, parts[position - 1]))
    else if (isContext(part)) expanded.push(expandContext(expander, part, values))
    else expanded.push(expandReference(expander, part, measure))
  }
  return expanded
}

const isContext = (reference: SqlReference): reference is ContextReference =>
  reference.kind === 'filterParams' ||
  reference.kind === 'localTime' ||
  reference.kind === 'urlEncoded' ||
  reference.kind === 'securityContext' ||
  reference.kind === 'argument' ||
  reference.kind === 'constant'

/** What in SQL depends on the query or on who asks. SQL inside it stands as it is written: there a name alone is no column. */
function expandContext(
  expander: Expander,
  reference: ContextReference,
  values: readonly Expression[],
): string | Expression {
  const { index, timezone, request } = expander
  const expandColumn: ExpandColumn = ({ sql }, given) => whole(expandParts(expander, sql, noMeasures, given))
  switch (reference.kind) {
    case 'filterParams': {
      const restating = { index, timezone, params: reference.params, isOptional: request.isOptional, expandColumn }
      return { kind: 'condition', condition: restateFilters(restating, request.filters()) }
    }
    case 'localTime':
      return { kind: 'localTime', time: expandColumn({ sql: reference.sql, takes: null }, values), timezone }
    case 'urlEncoded':
      return { kind: 'urlEncoded', input: expandColumn({ sql: reference.sql, takes: null }, values) }
    case 'securityContext':
      return securityExpression(reference, request.securityContext(), expandColumn)
    case 'constant':
      return { kind: 'value', value: { type: reference.type, value: reference.value } }
    case 'argument': {
      const value = values[reference.position]
      if (!value) throw new Error(`SQL takes an argument ${reference.position} that it is not given`)
      return value
    }
  }
}

function expandReference(
  expander: Expander,
  reference: Exclude<MemberReference, { kind: 'source' }>,
  measure: MeasureReference,
): Expression {
  const { index } = expander
  if (reference.kind === 'table') return { kind: 'identifier', name: expander.tableAlias(reference.cube) }
  const member = index.member(reference.cube, reference.member)
  if (member.kind === 'measure') return measure(reference.cube, reference.member)
  if (member.kind === 'segment') return expandSql(expander, reference.cube, member.sql)
  if (reference.kind === 'member') return expandDimension(expander, reference.cube, member)
  const granularity = findGranularity(member, reference.granularity)
  if (!granularity)
    throw new Error(`'${reference.cube}.${reference.member}' has no granularity '${reference.granularity}'`)
  return expandBucket(expander, reference.cube, member, granularity)
}

/** A cube's table or query, to be selected from. It refers to other cubes as a whole only, and to the rows of them that may be read. */
export const expandSource = (expander: Expander, { source }: Cube): Expression => ({
  kind: 'sql',
  parts: sourceParts(expander, source.sql),
})

/** SQL that refers to nothing but whole cubes, such as that of a refresh key. */
export const sourceParts = (expander: Expander, sql: BoundSql): (string | Expression)[] =>
  expandParts(expander, sql, noMeasures, [])

/** Another cube's table or query in the midst of SQL; `before` is what stands before it. */
function wholeSource(
  expander: Expander,
  name: string,
  before: string | SqlReference | undefined,
): (string | Expression)[] {
  const { source } = expander.index.cube(name)
  const rows = expander.restrictions.of(name, expander)
  const parts: (string | Expression)[] = rows ? [{ kind: 'restricted', rows }] : sourceParts(expander, source.sql)
  const isWrapped = typeof before === 'string' && before.trimEnd().endsWith('(')
  if (source.kind === 'table' && !rows) return isWrapped ? ['SELECT * FROM ', ...parts] : parts
  return isWrapped ? [...parts, '\n'] : ['(', ...parts, '\n)']
}

export function expandDimension(expander: Expander, cube: string, dimension: Dimension): Expression {
  const value = expandValue(expander, cube, dimension)
  return dimension.masking ? expandMasked(expander, cube, dimension, dimension.masking, value) : value
}

function expandMasked(
  expander: Expander,
  cube: string,
  dimension: Dimension,
  { mask, except }: Masking,
  value: Expression,
): Expression {
  const hidden = mask?.kind === 'sql' ? expandSql(expander, cube, mask.sql) : literalMask(mask, dimension.type)
  if (!except) return hidden
  const [shown, otherwise] = alikeTypes(dimension, value, hidden)
  return { kind: 'case', when: [{ condition: rowRuleCondition(expander, except), result: shown }], otherwise }
}

/** What a mask of one value shows in place of a member's value; without a mask, nothing. */
export function literalMask(mask: Mask | null, type: (Dimension | Measure)['type']): Expression {
  if (mask?.kind !== 'literal') return { kind: 'sql', parts: ['NULL'] }
  const { value } = mask
  // Digits, because the type of a parameter would be the type of the whole column.
  if (typeof value === 'number') return { kind: 'sql', parts: [String(value)] }
  if (typeof value === 'boolean') return { kind: 'value', value: { type: 'boolean', value: String(value) } }
  const isMoment = type === 'time' && /^\d{4}-\d{2}-\d{2}/.test(value)
  return { kind: 'value', value: { type: isMoment ? 'timestamp' : 'text', value } }
}

/** A value and its mask, both as text where they are of different types: a column has one. */
export function alikeTypes(
  { type, masking }: Pick<Dimension | Measure, 'type' | 'masking'>,
  value: Expression,
  hidden: Expression,
): readonly [Expression, Expression] {
  const mask = masking?.mask
  if (mask?.kind !== 'literal') return [value, hidden]
  const isText = type === 'string' || type === 'geo'
  const isAlike =
    isText || type === 'time'
      ? typeof mask.value === 'string' && (isText || hidden.kind !== 'value' || hidden.value.type === 'timestamp')
      : typeof mask.value === (type === 'boolean' ? 'boolean' : 'number')
  if (isAlike) return [value, hidden]
  const text: Expression = { kind: 'value', value: { type: 'text', value: String(mask.value) } }
  return [isText ? value : { kind: 'concatenation', parts: [value] }, text]
}

/** What a policy asks of the rows of a query, whatever of them is masked. */
export const rowRuleCondition = (expander: Expander, rule: RowRule): Condition =>
  ruleCondition(rule, leaf => ruleLeafCondition(expander, leaf))

/** One filter of a policy, on the rows of a query or on `expression`, which has the member's value. */
export function ruleLeafCondition(expander: Expander, leaf: RuleLeaf, expression?: Expression): Condition {
  const { index, timezone } = expander
  const member = index.member(leaf.cube, leaf.member)
  if (member.kind === 'segment') throw new Error(`A policy filters the segment '${leaf.cube}.${leaf.member}'`)
  if (member.kind === 'measure') {
    const filters = [...member.filters, ...member.drillFilters]
    return {
      kind: 'and',
      conditions: filters.map(sql => ({ kind: 'sql', expression: expandSql(expander, leaf.cube, sql) })),
    }
  }
  if (member.expression.kind === 'switch') return chosenCondition(expander, leaf)
  const values = member.type === 'time' ? ruleDates(leaf, index.access.context, timezone) : leaf.values
  return filterCondition(
    { member: leaf.member, operator: leaf.operator, values },
    { kind: 'dimension', type: member.type, expression: expression ?? expandDimension(expander, leaf.cube, member) },
    timezone,
  )
}

/** What a policy asks of a switch, which holds for all rows or for none. */
function chosenCondition({ stages }: Expander, { cube, member, operator, values }: RuleLeaf): Condition {
  const id = `${cube}.${member}`
  const value = stages.chosen(cube, member)
  if (value === undefined) throw queryError('switch_policy', { dimension: id })
  return meetsFilter({ member: id, operator, values }, value) ? nothing : { kind: 'or', conditions: [] }
}

function expandValue(expander: Expander, cube: string, { name, expression }: Dimension): Expression {
  if (expression.kind === 'sql') return expandSql(expander, cube, expression.sql)
  return expandOther(expander, cube, name, expression)
}

function expandOther(
  expander: Expander,
  cube: string,
  name: string,
  expression: Exclude<DimensionExpression, { kind: 'sql' }>,
): Expression {
  const expand = (sql: BoundSql) => expandSql(expander, cube, sql)
  const label = (written: Label): Expression =>
    'sql' in written ? expand(written.sql) : { kind: 'value', value: { type: 'text', value: written.text } }
  if (expression.kind === 'subQuery') {
    return expandSql(expander, cube, expression.sql, expander.subQuery(cube, name).column)
  }
  if (expression.kind === 'geo') {
    const comma: Expression = { kind: 'value', value: { type: 'text', value: ',' } }
    const number = (sql: BoundSql): Expression => ({ kind: 'numberText', input: expand(sql) })
    return { kind: 'concatenation', parts: [number(expression.latitude), comma, number(expression.longitude)] }
  }
  if (expression.kind === 'address') {
    const text = (value: string): Expression => ({ kind: 'value', value: { type: 'text', value } })
    const params = expression.params.flatMap(({ key, value }, position): Expression[] => [
      text(`${position === 0 ? '?' : '&'}${encodeURIComponent(key)}=`),
      { kind: 'urlEncoded', input: expand(value) },
    ])
    return params.length > 0
      ? { kind: 'concatenation', parts: [label(expression.base), ...params] }
      : label(expression.base)
  }
  if (expression.kind === 'stage') return expander.stages.column(cube, name)
  if (expression.kind === 'choice') return expandChoice(expander, cube, name, expression.choice)
  if (expression.kind === 'switch') throw new Error(`A switch dimension of '${cube}' was taken for a column`)
  return {
    kind: 'case',
    when: expression.when.map(branch => ({
      condition: { kind: 'sql', expression: expand(branch.condition) },
      result: label(branch.label),
    })),
    otherwise: expression.otherwise ? label(expression.otherwise) : null,
  }
}

/** The branch for the value that was chosen, or for each row the one for its own value. */
function expandChoice(expander: Expander, cube: string, name: string, choice: Switch): Expression {
  const expand = (sql: BoundSql) => expandSql(expander, cube, sql)
  if (choice.isChosen) {
    const sql = chosenBranch(choice, expander.stages.chosen(choice.cube, choice.dimension), `${cube}.${name}`)
    return sql ? expand(sql) : absent
  }
  const on = expander.index.member(choice.cube, choice.dimension)
  if (on.kind !== 'dimension') throw new Error(`'${cube}.${name}' chooses by a ${on.kind}`)
  return choiceCase(choice, on.type, expandDimension(expander, choice.cube, on), expand)
}

export function expandBucket(
  expander: Expander,
  cube: string,
  dimension: Dimension,
  { bucket }: Granularity,
): Expression {
  if (bucket.kind === 'calendar') return expandPeriod(expander, cube, dimension, bucket)
  return { kind: 'bucket', time: expandDimension(expander, cube, dimension), bucket, timezone: expander.timezone }
}

/** A period that a calendar gives, under the mask of its dimension: it tells as much as the time itself. */
function expandPeriod(expander: Expander, cube: string, dimension: Dimension, { sql }: CalendarPeriod): Expression {
  const start = expandSql(expander, cube, sql)
  return dimension.masking ? expandMasked(expander, cube, dimension, dimension.masking, start) : start
}

/** The time of a dimension as a query looks at it, and the zone of which it is UTC: of a shifted time, the local one. */
export function expandTime(
  expander: Expander,
  cube: string,
  dimension: Dimension,
): { readonly time: Expression; readonly timezone: string } {
  const { timezone } = expander
  const own = expandDimension(expander, cube, dimension)
  const shifts = expander.stages.shiftsOf(cube, dimension.name)
  if (shifts.length === 0) return { time: own, timezone }
  const local: Expression = { kind: 'localTime', time: own, timezone }
  return { time: shifts.reduce<Expression>((time, by) => ({ kind: 'shifted', time, by }), local), timezone: 'UTC' }
}

/** A dimension as a query groups by it. */
export function expandGrain(
  expander: Expander,
  cube: string,
  dimension: Dimension,
  granularity: Granularity | null,
): Expression {
  const { time, timezone } = expandTime(expander, cube, dimension)
  if (granularity) {
    const { bucket } = granularity
    if (bucket.kind !== 'calendar') return { kind: 'bucket', time, bucket, timezone }
    if (expander.stages.shiftsOf(cube, dimension.name).length === 0)
      return expandPeriod(expander, cube, dimension, bucket)
    throw queryError('calendar_shift', { dimension: `${cube}.${dimension.name}`, granularity: granularity.name })
  }
  // What is not cut to a granularity stays UTC.
  return expander.stages
    .shiftsOf(cube, dimension.name)
    .reduce<Expression>((utc, by) => ({ kind: 'shifted', time: utc, by }), expandDimension(expander, cube, dimension))
}

/** Whether an expression is null wherever its row is absent: a plain column. */
export function isColumn(expression: Expression): boolean {
  if (expression.kind === 'column') return true
  if (expression.kind !== 'sql' || expression.parts.length !== 2) return false
  const [table, name] = expression.parts
  return (
    typeof table !== 'string' && table?.kind === 'identifier' && typeof name === 'string' && /^\."?\w+"?$/.test(name)
  )
}
