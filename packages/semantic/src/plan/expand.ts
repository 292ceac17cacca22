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
  Masking,
  MemberReference,
  SqlReference,
  Switch,
} from '../shapes/model.ts'
import type { Condition, Expression } from '../shapes/plan.ts'
import { absent, choiceCase, chosenBranch } from './choice.ts'
import { isColumnName } from './column-names.ts'
import { filterCondition, nothing } from './conditions.ts'
import type { Expander, MeasureReference } from './expander.ts'
import { type ExpandColumn, restateFilters } from './filter-params.ts'
import { alikeTypes, literalMask } from './literal-masks.ts'
import { seesWays } from './mask-ways.ts'
import { type RuleLeaf, ruleCondition, ruleDates } from './rule-members.ts'
import { securityExpression } from './security-context.ts'

const noMeasures: MeasureReference = (cube, measure) => {
  throw new Error(`SQL that is evaluated for each row refers to the measure '${cube}.${measure}'`)
}

/** SQL of an author with its references replaced. A name alone is a column of the cube. */
export function expandSql(
  expander: Expander,
  cube: string,
  sql: BoundSql,
  measure: MeasureReference = noMeasures,
): Expression {
  const only = sql.parts[0]
  if (sql.parts.length === 1 && typeof only === 'string' && isColumnName(only)) {
    return { kind: 'column', table: expander.tableAlias(cube), name: only, trusted: true }
  }
  return whole(expandParts(expander, sql, measure, []))
}

const whole = (parts: readonly (string | Expression)[]): Expression => {
  const first = parts[0]
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
  { mask, except, ways }: Masking,
  value: Expression,
): Expression {
  const { index, tree } = expander
  const isSeen = (paths: Masking['ways']['mask']) => tree === null || seesWays(index, tree, paths)
  const hidden =
    mask?.kind === 'sql' && isSeen(ways.mask) ? expandSql(expander, cube, mask.sql) : literalMask(mask, dimension.type)
  if (!except || !isSeen(ways.except)) return hidden
  const [shown, otherwise] = alikeTypes(dimension, value, hidden)
  return { kind: 'case', when: [{ condition: rowRuleCondition(expander, except), result: shown }], otherwise }
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
export function expandPeriod(
  expander: Expander,
  cube: string,
  dimension: Dimension,
  { sql }: CalendarPeriod,
): Expression {
  const start = expandSql(expander, cube, sql)
  return dimension.masking ? expandMasked(expander, cube, dimension, dimension.masking, start) : start
}
