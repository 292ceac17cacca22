import type { Dialect } from '../dialects/dialect.ts'
import type { Statement } from '../shapes/compiled.ts'
import type { Combination, Condition, From, KeyedSelection, Output, Plan, Relation, Selection } from '../shapes/plan.ts'
import {
  createSqlWriter,
  quoteIdentifier,
  type SqlWriter,
  writeCondition,
  writeExpression,
  writeTerm,
} from './write-expression.ts'

/** The plan as one statement. */
export function writePlan(plan: Plan, dialect: Dialect): Statement {
  const writer = createSqlWriter(dialect)
  const lines = [writeBody(writer, plan.body)]
  if (plan.order.length > 0) {
    const keys = plan.order.map(({ position, descending }) => `${position} ${descending ? 'DESC' : 'ASC'} NULLS LAST`)
    lines.push(`ORDER BY ${keys.join(', ')}`)
  }
  if (plan.limit !== null) lines.push(`LIMIT ${writer.bind(plan.limit)}`)
  if (plan.offset > 0) lines.push(`OFFSET ${writer.bind(plan.offset)}`)
  return { sql: lines.join('\n'), parameters: writer.parameters }
}

/** Counts the rows that the plan has without limit and offset. */
export function writeTotal(plan: Plan, dialect: Dialect): Statement {
  const writer = createSqlWriter(dialect)
  const sql = `SELECT count(*) AS ${quoteIdentifier('total')}\nFROM (\n${indent(writeBody(writer, plan.body))}\n) AS "rows"`
  return { sql, parameters: writer.parameters }
}

function writeBody(writer: SqlWriter, body: Selection | KeyedSelection | Combination): string {
  if (body.kind === 'selection') return writeSelection(writer, body)
  return body.kind === 'keyed' ? writeKeyed(writer, body) : writeCombination(writer, body)
}

function writeSelection(writer: SqlWriter, { from, where, grain, outputs, grouped, having }: Selection): string {
  const lines = [`SELECT${writeOutputs(writer, [...grain, ...outputs])}`, ...writeFrom(writer, from)]
  if (where.length > 0) lines.push(`WHERE ${writeAll(writer, where)}`)
  if (grouped && grain.length > 0) lines.push(writeGroupBy(grain))
  if (having.length > 0) lines.push(`HAVING ${writeAll(writer, having)}`)
  return lines.join('\n')
}

function writeKeyed(writer: SqlWriter, { keys, keysAlias, from, match, grain, outputs }: KeyedSelection): string {
  const alias = quoteIdentifier(keysAlias)
  const lines = [
    `SELECT${writeOutputs(writer, [...grain, ...outputs])}`,
    `FROM (\n${indent(writeSelection(writer, keys))}\n) AS ${alias}`,
  ]
  const root = writeRelation(writer, from.root)
  const conditions = match.map(
    ({ key, expression }) => `${alias}.${quoteIdentifier(key)} = ${writeExpression(writer, expression)}`,
  )
  lines.push(`LEFT JOIN ${root} ON ${conditions.join(' AND ')}`, ...writeJoins(writer, from))
  if (grain.length > 0) lines.push(writeGroupBy(grain))
  return lines.join('\n')
}

function writeCombination(writer: SqlWriter, { parts, grain, outputs, where }: Combination): string {
  const lines = [`SELECT${writeOutputs(writer, [...grain, ...outputs])}`]
  const [first] = parts
  for (const part of parts) {
    const alias = quoteIdentifier(part.alias)
    const query = `(\n${indent(writeBody(writer, part.selection))}\n) AS ${alias}`
    if (part === first) {
      lines.push(`FROM ${query}`)
      continue
    }
    // Groups can have null for a name, and equality is not true for it.
    const matches = grain.map(
      ({ alias: name, expression }) =>
        `${writeExpression(writer, expression)} IS NOT DISTINCT FROM ${alias}.${quoteIdentifier(name)}`,
    )
    lines.push(matches.length > 0 ? `JOIN ${query} ON ${matches.join(' AND ')}` : `CROSS JOIN ${query}`)
  }
  if (where.length > 0) lines.push(`WHERE ${writeAll(writer, where)}`)
  return lines.join('\n')
}

const writeOutputs = (writer: SqlWriter, outputs: readonly Output[]) =>
  outputs
    .map(({ alias, expression }) => `\n  ${writeExpression(writer, expression)} AS ${quoteIdentifier(alias)}`)
    .join(',')

const writeGroupBy = (grain: readonly Output[]) => `GROUP BY ${grain.map((_, position) => position + 1).join(', ')}`

const writeFrom = (writer: SqlWriter, from: From) => [
  `FROM ${writeRelation(writer, from.root)}`,
  ...writeJoins(writer, from),
]

const writeJoins = (writer: SqlWriter, { joins }: From) =>
  joins.map(({ relation, on }) => `LEFT JOIN ${writeRelation(writer, relation)} ON ${writeExpression(writer, on)}`)

function writeRelation(writer: SqlWriter, { alias, source, isQuery }: Relation): string {
  const isPlanned = source.kind === 'selection' || source.kind === 'combination'
  const text = isPlanned ? writeBody(writer, source) : writeExpression(writer, source)
  return `${isQuery ? `(\n${indent(text)}\n)` : text} AS ${quoteIdentifier(alias)}`
}

function writeAll(writer: SqlWriter, conditions: readonly Condition[]): string {
  const [only] = conditions
  if (only && conditions.length === 1) return writeCondition(writer, only)
  return conditions.map(condition => writeTerm(writer, condition)).join(' AND ')
}

const indent = (text: string) => text.replace(/^(?=.)/gm, '  ')
