import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import { coerce } from './coerce.ts'

/** The pattern of `LIKE pattern ESCAPE escape` as one whose escape is the usual backslash. */
export function bindLikeEscape([pattern, by]: readonly Bound[], at: number): Bound {
  if (!pattern || !by) throw new SqlError('42883', 'ESCAPE takes a pattern and a character', at)
  if (pattern.kind !== 'constant' || by.kind !== 'constant' || by.parameter !== undefined)
    throw unsupported('ESCAPE of a pattern that is no constant', at, 'Escape with a backslash, which needs no ESCAPE')
  const text = coerce(pattern, 'text')
  const character = coerce(by, 'text')
  if (text.kind !== 'constant' || character.kind !== 'constant') throw new Error('constants stay constants')
  if (text.value === null || character.value === null) return { ...text, value: null }
  if ([...character.value].length > 1)
    throw new SqlError('22025', 'invalid escape string', by.at, 'It is empty or one character')
  return { ...text, value: withBackslash(text.value, character.value, at) }
}

function withBackslash(pattern: string, by: string, at: number): string {
  if (by === '\\') return pattern
  let made = ''
  let isEscaped = false
  for (const character of pattern) {
    if (!isEscaped && character === by) {
      isEscaped = true
      continue
    }
    made += character === '\\' || (isEscaped && '%_'.includes(character)) ? `\\${character}` : character
    isEscaped = false
  }
  if (isEscaped) throw new SqlError('22025', 'LIKE pattern must not end with escape character', at)
  return made
}
