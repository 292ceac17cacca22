/** What a column of an answer is. */
export interface AnswerColumn {
  readonly name: string
  readonly title: string
  readonly role: 'dimension' | 'time' | 'part' | 'measure' | 'before' | 'change' | 'share'
  readonly format: ValueFormat
}

/** How values of a column are shown. */
export interface ValueFormat {
  readonly kind: 'number' | 'percent' | 'currency' | 'text' | 'time'
  /** ISO 4217, of currencies. */
  readonly currency: string | null
  /** Of times. */
  readonly grain: string | null
  /** Of numbers: `minutes`. */
  readonly unit: string | null
}

/** A statement of the SQL API and what comes of it. */
export interface Statement {
  readonly sql: string
  readonly columns: readonly AnswerColumn[]
}
