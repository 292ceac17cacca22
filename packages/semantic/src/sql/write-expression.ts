import { queryError } from '../messages/query-messages.ts'
import type { Spans } from '../shapes/model.ts'
import type { Condition, Expression, Value } from '../shapes/plan.ts'
import { averageSpan } from '../time/calendar.ts'
import type { SqlWriter } from './sql-writer.ts'

export function writeExpression(writer: SqlWriter, expression: Expression): string {
  const { quoteIdentifier } = writer.dialect
  switch (expression.kind) {
    case 'sql':
      return writeParts(writer, expression.parts)
    case 'identifier':
      return quoteIdentifier(expression.name)
    case 'column': {
      const name = expression.trusted ? expression.name : quoteIdentifier(expression.name)
      return `${quoteIdentifier(expression.table)}.${name}`
    }
    case 'bucket':
      return writeBucket(writer, expression)
    case 'nextSpan':
      return writeSpan(writer, writeExpression(writer, expression.time), expression.bucket, 1)
    case 'shifted': {
      const { months, milliseconds } = expression.by
      const time = writeOperand(writer, expression.time)
      const moved = months === 0 ? time : writer.dialect.addMonths(time, String(months))
      return milliseconds === 0 ? moved : writer.dialect.addMilliseconds(moved, milliseconds)
    }
    case 'aggregate':
      return writeAggregate(writer, expression)
    case 'window':
      return `${writeAggregate(writer, expression)} OVER (${writePartition(writer, expression.partition)})`
    case 'rank': {
      const order = expression.order.flatMap(key => {
        const written = writeExpression(writer, key.expression)
        return [`CASE WHEN ${written} IS NULL THEN 1 ELSE 0 END`, `${written} ${key.descending ? 'DESC' : 'ASC'}`]
      })
      const partition = writePartition(writer, expression.partition)
      return `rank() OVER (${partition}${partition && ' '}ORDER BY ${order.join(', ')})`
    }
    case 'case': {
      let text = 'CASE'
      for (const { condition, result } of expression.when) {
        text += ` WHEN ${writeCondition(writer, condition)} THEN ${writeOperand(writer, result)}`
      }
      if (expression.otherwise) text += ` ELSE ${writeOperand(writer, expression.otherwise)}`
      return `${text} END`
    }
    case 'concatenation':
      return writer.dialect.concatenate(expression.parts.map(part => writeText(writer, part)))
    case 'localTime':
      return writeLocal(writer, expression)
    case 'condition':
      return `(${writeCondition(writer, expression.condition)})`
    case 'list':
      return expression.items.map(item => writeExpression(writer, item)).join(', ')
    case 'urlEncoded':
      return writer.dialect.urlEncoded(writeText(writer, expression.input))
    case 'numberText':
      return writer.dialect.numberText(writeExpression(writer, expression.input))
    case 'value': {
      const text = writeValue(writer, expression.value)
      return expression.value.type === 'text' ? writer.dialect.textValue(text) : text
    }
    case 'one':
      return '1'
    case 'restricted':
      return writer.query(expression.rows)
  }
}

function writeParts(writer: SqlWriter, parts: readonly (string | Expression)[]): string {
  const isWhole = parts.length === 1
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else text += isWhole ? writeExpression(writer, part) : writeOperand(writer, part)
  }
  // A comment at the end would hide what follows.
  return text.includes('--') ? `${text}\n` : text
}

function writeText(writer: SqlWriter, input: Expression): string {
  if (input.kind === 'numberText') return writeExpression(writer, input)
  return writer.dialect.text(input.kind === 'value' ? writeValue(writer, input.value) : writeExpression(writer, input))
}

/** In parentheses unless it already binds tighter than any operator around it. */
function writeOperand(writer: SqlWriter, expression: Expression): string {
  const text = writeExpression(writer, expression)
  return isAtom(expression, text) ? text : `(${text})`
}

const atomPattern = /^(?:"(?:[^"]|"")*"|`[^`]*`|\[[\w$]+\]|[\w$])(?:"(?:[^"]|"")*"|`[^`]*`|\[[\w$]+\]|[\w.$])*$/

function isAtom(expression: Expression, text: string): boolean {
  if (expression.kind === 'concatenation') return false
  return expression.kind === 'sql' ? atomPattern.test(text) : true
}

type Bucketed = Extract<Expression, { kind: 'bucket' }>

const utcNames = /^(UTC|GMT|Etc\/(UTC|GMT|UCT|Zulu|Universal|Greenwich)|UCT|Zulu|Universal|Greenwich)$/i

const writeLocal = (writer: SqlWriter, { time, timezone }: Pick<Bucketed, 'time' | 'timezone'>): string =>
  writer.dialect.local(writeExpression(writer, time), writeZone(writer, timezone))

function writeBucket(writer: SqlWriter, { time, bucket, timezone }: Bucketed): string {
  const { dialect } = writer
  const local = writeLocal(writer, { time, timezone })
  if (bucket.kind === 'unit') return dialect.truncate(bucket.unit, local)
  if (bucket.kind === 'spans') return writeSpan(writer, local, bucket, 0)
  const origin = dialect.localTimestamp(writer.bind(bucket.origin))
  if (bucket.kind === 'interval') return dialect.secondsBucket(local, bucket.seconds, origin)
  if (bucket.shift === 0) return dialect.monthsBucket(local, bucket.months, origin)
  const moved = dialect.addMilliseconds(local, -bucket.shift)
  return dialect.addMilliseconds(dialect.monthsBucket(moved, bucket.months, origin), bucket.shift)
}

/**
 * The start of the step so many after the one that holds a local time. Its number is that of steps of the average length, or one
 * beside it, which the steps' own starts tell.
 */
function writeSpan(writer: SqlWriter, time: string, bucket: Spans, later: number): string {
  const { dialect } = writer
  const origin = dialect.localTimestamp(writer.bind(bucket.origin))
  const about = dialect.secondsSteps(time, averageSpan(bucket), origin)
  const start = (number: number) => {
    const count = number === 0 ? about : `(${about} ${number < 0 ? '-' : '+'} ${Math.abs(number)})`
    const inMonth = dialect.addMonths(origin, `${count} * ${bucket.months}`)
    return bucket.seconds === 0 ? inMonth : dialect.addSeconds(inMonth, `${count} * ${bucket.seconds}`)
  }
  const branches = [1, 0].map(number => `WHEN ${start(number)} <= ${time} THEN ${start(number + later)}`)
  return `CASE ${branches.join(' ')} ELSE ${start(later - 1)} END`
}

function writeZone(writer: SqlWriter, timezone: string): string | null {
  if (timezone === 'UTC' || utcNames.test(timezone)) return null
  const name = writer.dialect.zoneName(timezone)
  if (name === null) throw queryError('timezone_of_database', { timezone })
  return writer.bind(name)
}

const writePartition = (writer: SqlWriter, partition: readonly Expression[]) =>
  partition.length > 0 ? `PARTITION BY ${partition.map(part => writeExpression(writer, part)).join(', ')}` : ''

type Aggregate = Pick<Extract<Expression, { kind: 'aggregate' }>, 'function' | 'input'>

function writeAggregate(writer: SqlWriter, { function: name, input }: Aggregate): string {
  const argument = input ? writeExpression(writer, input) : '*'
  switch (name) {
    case 'count':
    case 'countDistinct':
    case 'countDistinctApprox':
      return writer.dialect[name](argument)
    case 'avg':
      return writer.dialect.average(argument)
    case 'sum':
    case 'min':
    case 'max':
      return `${name}(${argument})`
  }
}

function writeValue(writer: SqlWriter, { type, value, origin }: Value): string {
  const { dialect, recording } = writer
  const placeholder = writer.bind(value, origin)
  switch (type) {
    case 'text':
      return placeholder
    case 'number':
      // Of what type a number is written depends on its digits.
      if (origin)
        recording?.texts.push({ origin, write: digits => dialect.number('', digits), text: dialect.number('', value) })
      return dialect.number(placeholder, value)
    default:
      return dialect[type](placeholder)
  }
}

/** What a value is compared with. */
function writeCompared(writer: SqlWriter, expression: Expression, value: Value | undefined): string {
  const operand = writeOperand(writer, expression)
  return value?.type === 'timestamp' ? writer.dialect.comparedTime(operand) : operand
}

export function writeCondition(writer: SqlWriter, condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return writeGroup(writer, condition.kind, condition.conditions)
    case 'sql':
      return writeExpression(writer, condition.expression)
    case 'everyPair': {
      const { left, right } = condition
      return writer.dialect.everyPair?.(writeExpression(writer, left), writeExpression(writer, right)) ?? '1 = 1'
    }
    case 'null':
      return `${writeOperand(writer, condition.expression)} IS ${condition.negated ? 'NOT ' : ''}NULL`
    case 'in':
      return writeIn(writer, condition)
    case 'compare':
      return `${writeCompared(writer, condition.expression, condition.value)} ${condition.operator} ${writeValue(writer, condition.value)}`
    case 'comparison': {
      const left = writeOperand(writer, condition.left)
      const right = writeOperand(writer, condition.right)
      return condition.operator === 'same' ? writer.dialect.same(left, right) : `${left} ${condition.operator} ${right}`
    }
    case 'like': {
      const { dialect } = writer
      const text = dialect.text(writeExpression(writer, condition.expression))
      const { value, origin } = condition.pattern
      const pattern = writer.bind(dialect.likePattern(value), origin && (given => dialect.likePattern(origin(given))))
      return dialect.like(text, pattern, condition.negated)
    }
  }
}

function writeGroup(writer: SqlWriter, kind: 'and' | 'or', given: readonly Condition[]): string {
  const isSaid = writer.dialect.everyPair !== null || kind === 'or'
  const conditions = isSaid ? given : given.filter(condition => condition.kind !== 'everyPair')
  const only = conditions[0]
  if (!only) return kind === 'and' ? '1 = 1' : '1 = 0'
  if (conditions.length === 1) return writeCondition(writer, only)
  return writeTerms(writer, conditions, kind === 'and' ? ' AND ' : ' OR ')
}

/** Several conditions, each as one term. */
export function writeTerms(writer: SqlWriter, conditions: readonly Condition[], between: ' AND ' | ' OR '): string {
  let text = ''
  for (const condition of conditions) text += (text === '' ? '' : between) + writeTerm(writer, condition)
  return text
}

function writeTerm(writer: SqlWriter, condition: Condition): string {
  const text = writeCondition(writer, condition)
  const isCompound = condition.kind === 'sql' || ('conditions' in condition && condition.conditions.length > 0)
  return isCompound ? `(${text})` : text
}

function writeIn(writer: SqlWriter, { expression, values, negated }: Extract<Condition, { kind: 'in' }>): string {
  const operand = writeCompared(writer, expression, values[0])
  const only = values[0]
  if (only && values.length === 1) return `${operand} ${negated ? '<>' : '='} ${writeValue(writer, only)}`
  const written = values.map(value => writeValue(writer, value))
  return `${operand} ${negated ? 'NOT IN' : 'IN'} (${written.join(', ')})`
}
