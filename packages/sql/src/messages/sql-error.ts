/** Where in a statement, counted from 1 in characters; lines end with a line feed. */
export interface Position {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** A statement that is not answered, and why. `code` is PostgreSQL's SQLSTATE. */
export class SqlError extends Error {
  readonly code: string
  /** Null: the statement as a whole. */
  readonly at: number | null
  readonly hint: string | null
  position: Position | null = null

  constructor(code: string, message: string, at: number | null = null, hint: string | null = null) {
    super(message)
    this.name = 'SqlError'
    this.code = code
    this.at = at
    this.hint = hint
  }
}

/** Runs `work` on a statement so that errors know the line and column they are about. */
export function withPositions<T>(text: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw placed(text, error)
  }
}

/** The error with the line and column of the text that it is about. */
export function placed(text: string, error: unknown): unknown {
  if (error instanceof SqlError && error.at !== null && error.at >= 0) error.position ??= positionOf(text, error.at)
  return error
}

export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { offset: offset + 1, line, column: offset - before.lastIndexOf('\n') }
}

export const unsupported = (what: string, at: number | null, hint: string | null = null): SqlError =>
  new SqlError('0A000', `${what} is not supported`, at, hint)

/** The message with where it is, for interfaces that have no field for it. */
export function describeSqlError({ message, position, hint }: SqlError): string {
  const place = position ? ` (line ${position.line}, column ${position.column})` : ''
  return `${message}${place}${hint === null ? '' : `. ${hint}`}`
}
