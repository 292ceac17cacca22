import type { Dialect } from '../dialects/dialect.ts'
import { inOnePiece } from '../in-one-piece.ts'
import type { Statement } from '../shapes/compiled.ts'
import type {
  Appended,
  Combination,
  Condition,
  Expression,
  From,
  KeyedSelection,
  Output,
  Page,
  Plan,
  Relation,
  RestrictedRows,
  Selection,
  Series,
  StageBody,
  Union,
} from '../shapes/plan.ts'
import { createSqlWriter, type Recording, type SqlWriter } from './sql-writer.ts'
import { writeCondition, writeExpression, writeTerms } from './write-expression.ts'

/**
 * The plan as one statement.
 *
 * @throws {QueryError} for a time zone that the database doesn't know
 */
export function writePlan(plan: Plan, dialect: Dialect): Statement {
  const { sql, parameters } = writePages(plan, dialect)
  return { sql, parameters }
}

/** A page as a statement, and as `oneMore` with a limit of one row more, by which whoever runs it knows whether there are rows behind the limit. */
export interface Pages extends Statement {
  readonly oneMore: Statement
}

/** Writes a page of a plan: the one that was planned, or another. */
export type WritePage = (page: Page, recording: Recording | null) => Pages

export const writePages = (plan: Plan, dialect: Dialect): Pages => pagesOf(plan, dialect, 0, null)(plan, null)

/** All but order, limit and offset is written once. */
export function pagesOf(
  plan: Plan,
  dialect: Dialect,
  parametersBefore: number,
  recording: Recording | null,
): WritePage {
  const writer = createSqlWriter(dialect, writeRestricted, parametersBefore, recording)
  const parts = writeStages(writer, plan) + writeParts(writer, plan.body)
  const body = writeBody(writer, plan.body)
  return recording === null
    ? createPages(writer, parts, body, plan.columns)
    : createPages(writer, inOnePiece(parts), inOnePiece(body), plan.columns)
}

/** By itself, so that what writes pages of a template keeps the text and not the plan. */
const createPages =
  (writer: SqlWriter, parts: string, body: string, columns: Plan['columns']): WritePage =>
  ({ order: planned, limit: count, offset: first }, recording) => {
    const { dialect } = writer
    const order = planned.map(({ position, descending, nullsFirst = false }) => {
      const column = columns[position - 1]
      if (!column) throw new Error(`A plan is ordered by column ${position}, which it hasn't`)
      return { position, descending, nullsFirst, column: dialect.quoteIdentifier(column.alias) }
    })
    const writePage = dialect.pages({ body, order })
    const write = (rows: number | null): Statement => {
      const page = writer.copy(recording)
      const limit = rows === null ? null : page.rowCount(rows)
      const offset = first > 0 ? page.rowCount(first) : null
      return page.finish(parts + writePage(limit, offset) + dialect.ending)
    }
    const { sql, parameters } = write(count)
    return { sql, parameters, oneMore: write(count === null ? null : count + 1) }
  }

/** SQL that is a statement by itself. */
export function writeStatement(sql: Expression, dialect: Dialect, recording: Recording | null = null): Statement {
  const writer = createSqlWriter(dialect, writeRestricted, 0, recording)
  return writer.finish(writeExpression(writer, sql))
}

/** Counts the rows that the plan has without limit and offset. */
export function writeTotal(plan: Plan, dialect: Dialect, recording: Recording | null = null): Statement {
  const writer = createSqlWriter(dialect, writeRestricted, 0, recording)
  const parts = writeStages(writer, plan) + writeParts(writer, plan.body)
  const body = indent(writeBody(writer, plan.body))
  const total = `${dialect.count('*')} AS ${dialect.quoteIdentifier('total')}`
  return writer.finish(
    `${parts}SELECT ${total}\nFROM (\n${body}\n) AS ${dialect.quoteIdentifier('rows')}${dialect.ending}`,
  )
}

function writeStages(writer: SqlWriter, { stages }: Plan): string {
  if (stages.length === 0) return ''
  const { quoteIdentifier } = writer.dialect
  const written = stages.map(({ name, body }) => `${quoteIdentifier(name)} AS (\n${indent(writeBody(writer, body))}\n)`)
  return `WITH ${written.join(',\n')}\n`
}

function writeBody(writer: SqlWriter, body: StageBody | Union): string {
  switch (body.kind) {
    case 'selection':
      return writeSelection(writer, body)
    case 'keyed':
      return writeKeyed(writer, body)
    case 'combination':
      return writeCombination(writer, body)
    case 'union':
      return writeUnion(writer, body)
    case 'series':
      return writeSeries(writer, body)
    case 'appended':
      return writeAppended(writer, body)
  }
}

function writeAppended(writer: SqlWriter, { parts, isDistinct }: Appended): string {
  const rows = parts.map(part => writeSelection(writer, part)).join('\nUNION ALL\n')
  if (!isDistinct) return rows
  return `SELECT DISTINCT *\nFROM (\n${indent(rows)}\n) AS ${writer.dialect.quoteIdentifier('parts')}`
}

function writeSeries(writer: SqlWriter, { first, from, column, step, count, shift }: Series): string {
  const { dialect } = writer
  const counted = `${dialect.quoteIdentifier('steps')}.${dialect.quoteIdentifier('step')}`
  const number = from === 0 ? counted : `(${counted} ${from < 0 ? '-' : '+'} ${Math.abs(from)})`
  const start = dialect.localTimestamp(writer.bind(first))
  const inMonth = step.months === 0 ? start : dialect.addMonths(start, `${number} * ${step.months}`)
  const moved =
    step.milliseconds === 0 ? inMonth : dialect.addSeconds(inMonth, `${number} * ${step.milliseconds / 1000}`)
  const time = shift === 0 ? moved : dialect.addMilliseconds(moved, shift)
  return `SELECT ${time} AS ${dialect.quoteIdentifier(column)}\nFROM ${dialect.numbers(count)}`
}

function writeSelection(writer: SqlWriter, { from, where, grain, outputs, grouped, having }: Selection): string {
  const groups = grouped ? writeGroups(writer, grain) : noGroups
  // Text is added to text: to join lines takes longer than to write them.
  let text = `SELECT${writeOutputs(writer, groups.computed ?? grain, outputs)}\nFROM ${writeRelation(writer, from.root)}`
  text += writeJoins(writer, from)
  if (groups.source !== null) text += `\n${groups.source}`
  if (where.length > 0) text += `\nWHERE ${writeAll(writer, where)}`
  if (groups.clause !== null) text += `\n${groups.clause}`
  if (having.length > 0) text += `\nHAVING ${writeAll(writer, having)}`
  return text
}

function writeKeyed(writer: SqlWriter, { keys, keysAlias, from, match, grain, outputs }: KeyedSelection): string {
  const { quoteIdentifier } = writer.dialect
  const alias = quoteIdentifier(keysAlias)
  const lines = [
    `SELECT${writeOutputs(writer, grain, outputs)}`,
    `FROM (\n${indent(writeSelection(writer, keys))}\n) AS ${alias}`,
  ]
  const root = writeRelation(writer, from.root)
  const conditions = match.map(
    ({ key, expression }) => `${alias}.${quoteIdentifier(key)} = ${writeExpression(writer, expression)}`,
  )
  lines.push(`LEFT JOIN ${root} ON ${conditions.join(' AND ')}${writeJoins(writer, from)}`)
  const { clause } = writeGroups(writer, grain)
  if (clause !== null) lines.push(clause)
  return lines.join('\n')
}

function writeCombination(writer: SqlWriter, { parts, grain, outputs, where }: Combination): string {
  const { dialect } = writer
  const lines = [`SELECT${writeOutputs(writer, grain, outputs)}`]
  const [first] = parts
  for (const part of parts) {
    const alias = dialect.quoteIdentifier(part.alias)
    const query = `(\n${indent(writeBody(writer, part.selection))}\n) AS ${alias}`
    if (part === first) {
      lines.push(`FROM ${query}`)
      continue
    }
    // Groups can have null for a name, and equality is not true for it.
    const matches = grain.map(({ alias: name, expression }) =>
      dialect.same(writeExpression(writer, expression), `${alias}.${dialect.quoteIdentifier(name)}`),
    )
    lines.push(matches.length > 0 ? `JOIN ${query} ON ${matches.join(' AND ')}` : `CROSS JOIN ${query}`)
  }
  if (where.length > 0) lines.push(`WHERE ${writeAll(writer, where)}`)
  return lines.join('\n')
}

/** Without the parts themselves: a statement begins with those. */
function writeUnion(writer: SqlWriter, { parts, groupsAlias, grain, outputs, where }: Union): string {
  const { dialect } = writer
  const lines = [`SELECT${writeOutputs(writer, grain, outputs)}`]
  const tables = parts.map(({ alias }) => dialect.quoteIdentifier(alias))
  if (grain.length === 0) {
    lines.push(`FROM ${tables.join('\nCROSS JOIN ')}`)
  } else {
    // All groups come first, because full joins that match null with null are rarely to be had.
    const columns = grain.map(({ alias }) => dialect.quoteIdentifier(alias)).join(', ')
    const all = tables.map(table => `SELECT ${columns} FROM ${table}`).join('\nUNION ALL\n')
    const groups = `SELECT DISTINCT ${columns} FROM (\n${indent(all)}\n) AS ${dialect.quoteIdentifier('all_groups')}`
    lines.push(`FROM (\n${indent(groups)}\n) AS ${dialect.quoteIdentifier(groupsAlias)}`)
    for (const table of tables) {
      const matches = grain.map(({ alias, expression }) =>
        dialect.same(writeExpression(writer, expression), `${table}.${dialect.quoteIdentifier(alias)}`),
      )
      lines.push(`LEFT JOIN ${table} ON ${matches.join(' AND ')}`)
    }
  }
  if (where.length > 0) lines.push(`WHERE ${writeAll(writer, where)}`)
  return lines.join('\n')
}

/** What a statement begins with: the parts of a union, each read more than once. */
function writeParts(writer: SqlWriter, body: Plan['body']): string {
  if (body.kind !== 'union') return ''
  const parts = body.parts.map(
    ({ alias, selection }) =>
      `${writer.dialect.quoteIdentifier(alias)} AS (\n${indent(writeBody(writer, selection))}\n)`,
  )
  return `WITH ${parts.join(', ')}\n`
}

function writeOutputs(writer: SqlWriter, grain: readonly Output[], outputs: readonly Output[]): string {
  let text = ''
  for (const output of grain) text += (text === '' ? '' : ',') + writeOutput(writer, output)
  for (const output of outputs) text += (text === '' ? '' : ',') + writeOutput(writer, output)
  return text
}

const writeOutput = (writer: SqlWriter, { alias, expression }: Output): string =>
  `\n  ${writeExpression(writer, expression)} AS ${writer.dialect.quoteIdentifier(alias)}`

interface Groups {
  /** What follows FROM, where groups are computed before they are selected, and what is selected then. */
  readonly source: string | null
  readonly computed: readonly Output[] | null
  readonly clause: string | null
}

const noGroups: Groups = { source: null, computed: null, clause: null }

/** No name of a model holds a space. */
const groupsAlias = 'group keys'

function writeGroups(writer: SqlWriter, grain: readonly Output[]): Groups {
  const { groupsByPosition, quoteIdentifier } = writer.dialect
  if (grain.length === 0) return noGroups
  if (groupsByPosition) {
    let clause = 'GROUP BY 1'
    for (let position = 2; position <= grain.length; position++) clause += `, ${position}`
    return { source: null, computed: null, clause }
  }
  if (grain.every(({ expression }) => expression.kind === 'column')) {
    const columns = grain.map(({ expression }) => writeExpression(writer, expression))
    return { source: null, computed: null, clause: `GROUP BY ${columns.join(', ')}` }
  }
  const computed = grain.map(
    ({ alias }): Output => ({
      alias,
      expression: { kind: 'column', table: groupsAlias, name: alias, trusted: false },
    }),
  )
  const expressions = indent(`SELECT${writeOutputs(writer, grain, [])}`)
  return {
    source: `CROSS APPLY (\n${expressions}\n) AS ${quoteIdentifier(groupsAlias)}`,
    computed,
    clause: `GROUP BY ${computed.map(({ expression }) => writeExpression(writer, expression)).join(', ')}`,
  }
}

/** A line for each. */
function writeJoins(writer: SqlWriter, { joins }: From): string {
  let text = ''
  for (const { relation, on } of joins) {
    const written = writeRelation(writer, relation)
    text += on ? `\nLEFT JOIN ${written} ON ${writeCondition(writer, on)}` : `\nCROSS JOIN ${written}`
  }
  return text
}

function writeRelation(writer: SqlWriter, { alias, source, isQuery }: Relation): string {
  const isPlanned = source.kind === 'selection' || source.kind === 'combination' || source.kind === 'appended'
  const text = isPlanned ? writeBody(writer, source) : writeExpression(writer, source)
  return `${isQuery ? `(\n${indent(text)}\n)` : text} AS ${writer.dialect.quoteIdentifier(alias)}`
}

/** All columns of a table, of the rows that may be read. */
function writeRestricted(writer: SqlWriter, { alias, from, where, isApart, among }: RestrictedRows): string {
  const { quoteIdentifier } = writer.dialect
  const name = quoteIdentifier(alias)
  const lines = [`SELECT ${name}.*`, `FROM ${writeRelation(writer, from.root)}${writeJoins(writer, from)}`]
  if (among) {
    const keys = quoteIdentifier(among.alias)
    const matches = among.match.map(
      ({ key, expression }) => `${keys}.${quoteIdentifier(key)} = ${writeExpression(writer, expression)}`,
    )
    lines.push(`JOIN (\n${indent(writeSelection(writer, among.selection))}\n) AS ${keys} ON ${matches.join(' AND ')}`)
  }
  if (where.length > 0) lines.push(`WHERE ${writeAll(writer, where)}`)
  if (isApart && writer.dialect.rowsApart !== undefined) lines.push(writer.dialect.rowsApart)
  return lines.join('\n')
}

function writeAll(writer: SqlWriter, conditions: readonly Condition[]): string {
  const only = conditions[0]
  if (only && conditions.length === 1) return writeCondition(writer, only)
  return writeTerms(writer, conditions, ' AND ')
}

const indent = (text: string) => text.replace(/^(?=.)/gm, '  ')
