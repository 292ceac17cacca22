import type { Dialect } from '../dialects/dialect.ts'
import type { Parameter, Statement } from '../shapes/compiled.ts'
import type { Origin, RestrictedRows } from '../shapes/plan.ts'

/** Text being written: values become parameters. */
export interface SqlWriter {
  readonly dialect: Dialect
  /** Adds a parameter and returns what stands for it. Text may repeat it. */
  bind(value: Parameter, origin?: Origin): string
  /** Limit or offset, which some dialects want as digits. */
  rowCount(count: number): string
  /** A query inside an expression. */
  query(rows: RestrictedRows): string
  /** Writes on from here by itself: what is bound by one is not bound by the other. What was not recorded so far is unknown to `recording`. */
  copy(recording: Recording | null): SqlWriter
  /** The statement that `sql` is. */
  finish(sql: string): Statement
  readonly recording: Recording | null
}

/** How a query gives what it gives to the text being written, so that another query can fill the same text. */
export interface Recording {
  /** For the parameters of each finished statement: what each is made of; undefined: the same for every query. */
  readonly origins: Map<Statement['parameters'], readonly (Origin | undefined)[]>
  /** Text that depends on a value. */
  readonly texts: { readonly origin: Origin; readonly write: (value: string) => string; readonly text: string }[]
}

/** Around the position of a parameter; no SQL holds it. */
const mark = '\u0000'

export function createSqlWriter(
  dialect: Dialect,
  writeQuery: (writer: SqlWriter, rows: RestrictedRows) => string,
  parametersBefore = 0,
  recording: Recording | null = null,
  bound: readonly Parameter[] = [],
  boundOrigins: readonly (Origin | undefined)[] = [],
): SqlWriter {
  const parameters = [...bound]
  const origins = [...boundOrigins]
  const { placeholder } = dialect
  const bind = (value: Parameter, origin?: Origin) => {
    const position = parameters.push(value)
    if (recording !== null) origins.push(origin)
    return placeholder ? placeholder(parametersBefore + position) : `${mark}${position}${mark}`
  }
  const writer: SqlWriter = {
    dialect,
    bind,
    rowCount: count => (dialect.bindsRowCounts ? bind(count) : String(count)),
    query: rows => writeQuery(writer, rows),
    copy: record => createSqlWriter(dialect, writeQuery, parametersBefore, record, parameters, origins),
    finish(sql) {
      const order = placeholder ? null : orderOfText(sql)
      const statement = order === null ? { sql, parameters } : inOrder(sql, order, parameters)
      recording?.origins.set(statement.parameters, order === null ? origins : order.map(position => origins[position]))
      return statement
    },
    recording,
  }
  return writer
}

/** `?` says nothing but its place, so parameters are listed, and repeated, as they are met. */
const orderOfText = (text: string): readonly number[] =>
  text.split(mark).flatMap((piece, index) => (index % 2 === 0 ? [] : [Number(piece) - 1]))

function inOrder(text: string, order: readonly number[], written: readonly Parameter[]): Statement {
  const parameters = order.map(position => {
    const parameter = written[position]
    if (parameter === undefined) throw new Error(`The SQL refers to parameter ${position + 1}, which it hasn't`)
    return parameter
  })
  const pieces = text.split(mark).map((piece, index) => (index % 2 === 0 ? piece : '?'))
  return { sql: pieces.join(''), parameters }
}
