import type { HttpAnswer } from '../network/http.ts'

/** One answer of the Statement Execution API (docs.databricks.com/api, `/api/2.0/sql/statements`). */
export interface Answer {
  readonly id: string
  readonly state: string
  readonly fields: readonly DatabricksField[] | undefined
  /** How many rows and pieces the whole result has. */
  readonly rows: number
  readonly pieces: number
  /** Only a part of the result was kept. */
  readonly isCut: boolean
  readonly result: Piece
}

/** What the API says of a column. */
export interface DatabricksField {
  readonly name: string
  /** `LONG`, `DECIMAL`: the words of the API. */
  readonly type: string
  /** `BIGINT`, `DECIMAL(10,2)`: the words of SQL. */
  readonly text: string
}

/** One piece of a result: its rows, or where they lie. */
export interface Piece {
  readonly rows: readonly (readonly unknown[])[] | undefined
  readonly link: Link | undefined
}

/** Rows in the workspace's storage, to be read by whoever knows the address. */
export interface Link {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
}

/** What the API says when a statement failed, or when it was asked wrongly. */
export class DatabricksError extends Error {
  readonly code: string
  /** Of HTTP; 200 when the statement itself failed. */
  readonly status: number

  constructor(message: string, code: string, status: number) {
    super(message)
    this.name = 'DatabricksError'
    this.code = code
    this.status = status
  }
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const objectOf = (value: unknown): Fields => (isObject(value) ? value : {})
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** @throws DatabricksError when the API refused, or the statement failed */
export function readAnswer(answer: HttpAnswer): Answer {
  const body = readBody(answer)
  const { state, error } = objectOf(body.status)
  if (typeof body.statement_id !== 'string' || typeof state !== 'string') throw notDatabricks()
  if (state === 'FAILED') {
    const { error_code: code, message } = objectOf(error)
    throw new DatabricksError(String(message ?? 'the statement failed'), String(code ?? ''), 200)
  }
  if (state === 'CANCELED' || state === 'CLOSED') {
    throw new DatabricksError('The statement was cancelled in Databricks.', 'CANCELLED', 200)
  }
  const manifest = objectOf(body.manifest)
  const schema = objectOf(manifest.schema)
  return {
    id: body.statement_id,
    state,
    fields: isObject(manifest.schema) ? listOf(schema.columns).map(readField) : undefined,
    rows: countOf(manifest.total_row_count),
    pieces: countOf(manifest.total_chunk_count),
    isCut: manifest.truncated === true,
    result: pieceOf(objectOf(body.result)),
  }
}

/** @throws DatabricksError */
export const readPiece = (answer: HttpAnswer): Piece => pieceOf(readBody(answer))

/** The rows that lie behind a link. @throws Error when they do not */
export function readRows({ status, text }: HttpAnswer): readonly (readonly unknown[])[] {
  if (status !== 200) throw new Error(`the storage of results answers HTTP ${status}`)
  const rows: unknown = JSON.parse(text)
  if (!Array.isArray(rows) || !rows.every(Array.isArray)) throw notDatabricks()
  return rows
}

/** @throws DatabricksError for what is no success; Error for what is not Databricks */
export function readBody({ status, text }: HttpAnswer): Fields {
  const body = parsed(text)
  if (status === 200 && isObject(body)) return body
  const { error_code: code, message } = objectOf(body)
  throw new DatabricksError(String(message ?? `HTTP ${status}`), String(code ?? ''), status)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const notDatabricks = () => new Error('the server answers something other than Databricks')

const readField = ({ name, type_name: type, type_text: text }: Fields): DatabricksField => {
  return { name: String(name), type: String(type), text: String(text ?? type) }
}

function pieceOf({ data_array: rows, external_links: links }: Fields): Piece {
  const [link] = listOf(links)
  const headers = Object.entries(objectOf(link?.http_headers)).map(([name, value]) => [name, String(value)] as const)
  return {
    rows: Array.isArray(rows) ? rows.filter(Array.isArray) : undefined,
    link:
      typeof link?.external_link === 'string'
        ? { address: link.external_link, headers: Object.fromEntries(headers) }
        : undefined,
  }
}
