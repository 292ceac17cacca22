import type { Dialect } from '../dialects/dialect.ts'
import type { Parameter } from '../shapes/compiled.ts'
import type { Condition, Expression, Value } from '../shapes/plan.ts'

/** Text being written: values become parameters, numbered in the order in which they are met. */
export interface SqlWriter {
  readonly dialect: Dialect
  readonly parameters: Parameter[]
  /** Adds a parameter and returns its placeholder. */
  bind(value: Parameter): string
}

export function createSqlWriter(dialect: Dialect): SqlWriter {
  const parameters: Parameter[] = []
  return { dialect, parameters, bind: value => `$${parameters.push(value)}` }
}

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

export function writeExpression(writer: SqlWriter, expression: Expression): string {
  switch (expression.kind) {
    case 'sql':
      return writeParts(writer, expression.parts)
    case 'identifier':
      return quoteIdentifier(expression.name)
    case 'column':
      return `${quoteIdentifier(expression.table)}.${expression.trusted ? expression.name : quoteIdentifier(expression.name)}`
    case 'bucket':
      return writeBucket(writer, expression)
    case 'aggregate':
      return writeAggregate(writer, expression)
    case 'case': {
      const branches = expression.when.map(
        ({ condition, result }) => `WHEN ${writeCondition(writer, condition)} THEN ${writeOperand(writer, result)}`,
      )
      const otherwise = expression.otherwise ? ` ELSE ${writeOperand(writer, expression.otherwise)}` : ''
      return `CASE ${branches.join(' ')}${otherwise} END`
    }
    case 'concatenation':
      return expression.parts
        .map(part => `CAST(${writeExpression(writer, part)} AS ${writer.dialect.textType})`)
        .join(' || ')
    case 'urlEncoded':
      return writer.dialect.urlEncoded(
        `CAST(${writeExpression(writer, expression.input)} AS ${writer.dialect.textType})`,
      )
    case 'value':
      return writeValue(writer, expression.value)
    case 'one':
      return '1'
  }
}

function writeParts(writer: SqlWriter, parts: readonly (string | Expression)[]): string {
  const isWhole = parts.length === 1
  const text = parts
    .map(part => {
      if (typeof part === 'string') return part
      return isWhole ? writeExpression(writer, part) : writeOperand(writer, part)
    })
    .join('')
  // A comment at the end would hide what follows.
  return text.includes('--') ? `${text}\n` : text
}

/** In parentheses unless it already binds tighter than any operator around it. */
export function writeOperand(writer: SqlWriter, expression: Expression): string {
  const text = writeExpression(writer, expression)
  return isAtom(expression, text) ? text : `(${text})`
}

const atomPattern = /^(?:"(?:[^"]|"")*"|[\w$])(?:"(?:[^"]|"")*"|[\w.$])*$/

function isAtom(expression: Expression, text: string): boolean {
  if (expression.kind === 'concatenation') return false
  return expression.kind === 'sql' ? atomPattern.test(text) : true
}

type Bucketed = Extract<Expression, { kind: 'bucket' }>

const utcNames = /^(UTC|GMT|Etc\/(UTC|GMT|UCT|Zulu|Universal|Greenwich)|UCT|Zulu|Universal|Greenwich)$/i

function writeBucket(writer: SqlWriter, { time, bucket, timezone }: Bucketed): string {
  const utc = `CAST(${writeExpression(writer, time)} AS TIMESTAMP)`
  const local = utcNames.test(timezone) ? utc : `timezone(${writer.bind(timezone)}, timezone('UTC', ${utc}))`
  if (bucket.kind === 'unit') return `date_trunc('${bucket.unit}', ${local})`
  const origin = `CAST(${writer.bind(bucket.origin)} AS TIMESTAMP)`
  if (bucket.kind === 'interval') return writer.dialect.secondsBucket(local, bucket.seconds, origin)
  if (bucket.shift === 0) return writer.dialect.monthsBucket(local, bucket.months, origin)
  const shift = `INTERVAL '${bucket.shift} milliseconds'`
  return `(${writer.dialect.monthsBucket(`(${local} - ${shift})`, bucket.months, origin)} + ${shift})`
}

type Aggregate = Extract<Expression, { kind: 'aggregate' }>

function writeAggregate(writer: SqlWriter, { function: name, input }: Aggregate): string {
  const argument = input ? writeExpression(writer, input) : '*'
  if (name === 'countDistinct') return `count(DISTINCT ${argument})`
  if (name === 'countDistinctApprox') return writer.dialect.countDistinctApprox(argument)
  return `${name}(${argument})`
}

function writeValue(writer: SqlWriter, { type, value }: Value): string {
  const placeholder = writer.bind(value)
  if (type === 'text') return placeholder
  const target = type === 'number' ? writer.dialect.numberType(value) : type.toUpperCase()
  return `CAST(${placeholder} AS ${target})`
}

export function writeCondition(writer: SqlWriter, condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return writeGroup(writer, condition.kind, condition.conditions)
    case 'sql':
      return writeExpression(writer, condition.expression)
    case 'null':
      return `${writeOperand(writer, condition.expression)} IS ${condition.negated ? 'NOT ' : ''}NULL`
    case 'in':
      return writeIn(writer, condition)
    case 'compare':
      return `${writeOperand(writer, condition.expression)} ${condition.operator} ${writeValue(writer, condition.value)}`
    case 'like': {
      const text = `CAST(${writeExpression(writer, condition.expression)} AS ${writer.dialect.textType})`
      return `${text} ${condition.negated ? 'NOT ' : ''}ILIKE ${writer.bind(condition.pattern)} ESCAPE '\\'`
    }
  }
}

function writeGroup(writer: SqlWriter, kind: 'and' | 'or', conditions: readonly Condition[]): string {
  const [only] = conditions
  if (!only) return '1 = 1'
  if (conditions.length === 1) return writeCondition(writer, only)
  return conditions.map(condition => writeTerm(writer, condition)).join(kind === 'and' ? ' AND ' : ' OR ')
}

/** A condition as one term of several. */
export function writeTerm(writer: SqlWriter, condition: Condition): string {
  const text = writeCondition(writer, condition)
  const isCompound = condition.kind === 'sql' || ('conditions' in condition && condition.conditions.length > 0)
  return isCompound ? `(${text})` : text
}

function writeIn(writer: SqlWriter, { expression, values, negated }: Extract<Condition, { kind: 'in' }>): string {
  const operand = writeOperand(writer, expression)
  const written = values.map(value => writeValue(writer, value))
  if (written.length === 1) return `${operand} ${negated ? '<>' : '='} ${written[0]}`
  return `${operand} ${negated ? 'NOT IN' : 'IN'} (${written.join(', ')})`
}
