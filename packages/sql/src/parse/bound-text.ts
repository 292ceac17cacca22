import { SqlError } from '../messages/sql-error.ts'

const longestText = 1024 * 1024
const mostOperators = 2_000
const deepestBrackets = 100
/** Reading one takes tens of microseconds, in which nobody else is served. */
const mostWords = 20_000

/**
 * Refuses text whose tree would be too deep. The grammar is a WebAssembly module whose stack is not given back where writing a
 * deep tree exhausts it, so that texts which could come near must not reach it; lists, such as of IN, are flat and may be long, within
 * the time that a reader may take.
 */
export function boundText(text: string): void {
  if (text.length > longestText) {
    throw new SqlError('54001', `The statement has ${text.length} characters; at most ${longestText} are allowed`)
  }
  let depth = 0
  let operators = 0
  let words = 0
  for (const [token] of text.matchAll(tokens)) {
    if (counted.test(token)) words += 1
    if (token === '(' || token === '[') depth += 1
    else if (token === ')' || token === ']') depth -= 1
    else if (deepening.test(token)) operators += 1
    if (depth > deepestBrackets)
      throw new SqlError('54001', `The statement is nested more than ${deepestBrackets} deep`)
    if (words > mostWords) {
      throw new SqlError(
        '54001',
        `The statement has more than ${mostWords} names and values. Join a table that holds them`,
      )
    }
    if (operators > mostOperators) {
      throw new SqlError('54001', `The statement has more than ${mostOperators} operators. Use IN for lists of values`)
    }
  }
}

/** Quoted texts and comments as a whole; what of them is unclosed is counted, which only refuses more. */
const tokens =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[()[\]]|[-+*/<>=~!@#%^&|`?:]+|\w+/g

/** Names, key words, values, and brackets, between which there may be nothing. */
const counted = /^[\w'"$([]/

const deepening =
  /^(?!--|\/\*)(?:[-+*/<>=~!@#%^&|`?:]+|union|intersect|except|not|is|join|between|like|ilike|similar|case|collate|at|isnull|notnull|overlaps|operator)$/i
