import { hasSqlDetails, type ParseResult, parse } from 'libpg-query'
import { placed, SqlError } from '../messages/sql-error.ts'
import type { Statement } from '../shapes/tree.ts'
import { boundText } from './bound-text.ts'
import type { Reading } from './read.ts'
import { readExpression } from './read-expression.ts'
import { readQueryNode } from './read-query.ts'
import { readStatement } from './read-statement.ts'

/** One of the statements of a text. */
export interface ParsedStatement {
  readonly statement: Statement
  /** Its own part of the text, without what ends it. */
  readonly text: string
}

/**
 * Reads a text by PostgreSQL's own grammar into the trees of its statements. Nothing of the text goes further than into them:
 * names, to be looked up, and values.
 *
 * @throws {SqlError} `42601` with PostgreSQL's message and place; `0A000` for what is not supported; `54001` for what is too large
 */
export async function parseStatements(text: string): Promise<readonly ParsedStatement[]> {
  try {
    if (text.includes('\0')) throw new SqlError('22021', 'The statement holds a zero byte')
    if (!text.isWellFormed()) throw new SqlError('22021', 'The statement is no Unicode text')
    boundText(text)
    if (text.trim() === '') return []
    const { stmts = [] } = await parseTree(text)
    const at = characterPositions(text)
    return stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
      const reading: Reading = {
        at,
        depth: 0,
        expression: node => readExpression(reading, node),
        query: (node, around) => readQueryNode(reading, node, around),
      }
      const end = length === undefined ? text.length : at(start + length)
      if (!stmt) throw new SqlError('42601', 'The statement is empty')
      return { statement: readStatement(reading, stmt, at(start)), text: text.slice(at(start), end).trim() }
    })
  } catch (error) {
    throw placed(text, error)
  }
}

/** Reads a text that is one statement. @throws {SqlError} also for none and for several */
export async function parseStatement(text: string): Promise<Statement> {
  const [first, second] = await parseStatements(text)
  if (!first) throw new SqlError('42601', 'The statement is empty')
  if (second)
    throw placed(text, new SqlError('42601', 'Only one statement can be run at once', text.lastIndexOf(second.text)))
  return first.statement
}

async function parseTree(text: string): Promise<ParseResult> {
  try {
    return await parse(text)
  } catch (error) {
    if (hasSqlDetails(error)) {
      const { message, cursorPosition } = error.sqlDetails ?? { message: error.message, cursorPosition: 0 }
      throw new SqlError('42601', message, [...text].slice(0, cursorPosition).join('').length)
    }
    if (error instanceof RangeError) throw new SqlError('54001', 'The statement is nested too deep')
    throw error
  }
}

/** Trees count bytes. */
function characterPositions(text: string): Reading['at'] {
  const size = Buffer.byteLength(text)
  if (size === text.length) return bytes => bytes ?? -1
  const positions = new Uint32Array(size + 1)
  let bytes = 0
  let characters = 0
  for (const character of text) {
    positions.fill(characters, bytes, bytes + Buffer.byteLength(character))
    bytes += Buffer.byteLength(character)
    characters += character.length
  }
  positions[size] = characters
  return place => (place === undefined || place < 0 ? -1 : (positions[place] ?? characters))
}
