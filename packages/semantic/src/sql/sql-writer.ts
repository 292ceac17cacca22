import type { Dialect } from '../dialects/dialect.ts'
import type { Parameter, Statement } from '../shapes/compiled.ts'
import type { RestrictedRows } from '../shapes/plan.ts'

/** Text being written: values become parameters. */
export interface SqlWriter {
  readonly dialect: Dialect
  /** Adds a parameter and returns what stands for it. Text may repeat it. */
  bind(value: Parameter): string
  /** Limit or offset, which some dialects want as digits. */
  rowCount(count: number): string
  /** A query inside an expression. */
  query(rows: RestrictedRows): string
  /** Writes on from here by itself: what is bound by one is not bound by the other. */
  copy(): SqlWriter
  /** The statement that `sql` is. */
  finish(sql: string): Statement
}

/** Around the position of a parameter; no SQL holds it. */
const mark = '\u0000'

export function createSqlWriter(
  dialect: Dialect,
  writeQuery: (writer: SqlWriter, rows: RestrictedRows) => string,
  parametersBefore = 0,
  bound: readonly Parameter[] = [],
): SqlWriter {
  const parameters = [...bound]
  const { placeholder } = dialect
  const bind = (value: Parameter) => {
    const position = parameters.push(value)
    return placeholder ? placeholder(parametersBefore + position) : `${mark}${position}${mark}`
  }
  const writer: SqlWriter = {
    dialect,
    bind,
    rowCount: count => (dialect.bindsRowCounts ? bind(count) : String(count)),
    query: rows => writeQuery(writer, rows),
    copy: () => createSqlWriter(dialect, writeQuery, parametersBefore, parameters),
    finish(sql) {
      return placeholder ? { sql, parameters } : inOrderOfText(sql, parameters)
    },
  }
  return writer
}

/** `?` says nothing but its place, so parameters are listed, and repeated, as they are met. */
function inOrderOfText(text: string, written: readonly Parameter[]): Statement {
  const parameters: Parameter[] = []
  const pieces = text.split(mark).map((piece, index) => {
    if (index % 2 === 0) return piece
    const parameter = written[Number(piece) - 1]
    if (parameter === undefined) throw new Error(`The SQL refers to parameter ${piece}, which it hasn't`)
    parameters.push(parameter)
    return '?'
  })
  return { sql: pieces.join(''), parameters }
}
