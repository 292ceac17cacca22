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

type WriteQuery = (writer: SqlWriter, rows: RestrictedRows) => string

/** Around the position of a parameter; no SQL holds it. */
const mark = '\u0000'

export const createSqlWriter = (
  dialect: Dialect,
  writeQuery: WriteQuery,
  parametersBefore = 0,
  recording: Recording | null = null,
): SqlWriter => new TextWriter(dialect, writeQuery, parametersBefore, recording, [], [])

class TextWriter implements SqlWriter {
  readonly dialect: Dialect
  readonly recording: Recording | null
  readonly #writeQuery: WriteQuery
  readonly #parametersBefore: number
  readonly #parameters: Parameter[]
  readonly #origins: (Origin | undefined)[]

  constructor(
    dialect: Dialect,
    writeQuery: WriteQuery,
    parametersBefore: number,
    recording: Recording | null,
    parameters: Parameter[],
    origins: (Origin | undefined)[],
  ) {
    this.dialect = dialect
    this.recording = recording
    this.#writeQuery = writeQuery
    this.#parametersBefore = parametersBefore
    this.#parameters = parameters
    this.#origins = origins
  }

  bind(value: Parameter, origin?: Origin): string {
    const position = this.#parameters.push(value)
    if (this.recording !== null) this.#origins.push(origin)
    const { placeholder } = this.dialect
    return placeholder ? placeholder(this.#parametersBefore + position) : `${mark}${position}${mark}`
  }

  rowCount(count: number): string {
    return this.dialect.bindsRowCounts ? this.bind(count) : String(count)
  }

  query(rows: RestrictedRows): string {
    return this.#writeQuery(this, rows)
  }

  copy(recording: Recording | null): SqlWriter {
    const parameters = this.#parameters.slice()
    const origins = this.#origins.slice()
    return new TextWriter(this.dialect, this.#writeQuery, this.#parametersBefore, recording, parameters, origins)
  }

  finish(sql: string): Statement {
    const order = this.dialect.placeholder ? null : orderOfText(sql)
    const statement = order === null ? { sql, parameters: this.#parameters } : inOrder(sql, order, this.#parameters)
    const origins = order === null ? this.#origins : order.map(position => this.#origins[position])
    this.recording?.origins.set(statement.parameters, origins)
    return statement
  }
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
