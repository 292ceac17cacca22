import type { Bound } from '../shapes/bound.ts'
import { joined, type Piece, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'

/** PostgreSQL replaces the first match unless told otherwise; flags are text of ours. */
export function printReplace(
  printing: Printing,
  [text, pattern, replacement, flags]: readonly Bound[],
): Piece[] | null {
  if (!text || !pattern || !replacement) return null
  const given = flags?.kind === 'constant' ? flags.value : flags ? null : ''
  if (given === null || !/^[gi]*$/.test(given)) throw new Unprintable('These flags of a pattern', flags?.at ?? -1)
  const values = [text, pattern, replacement].map(value => printing.value(value))
  return ['regexp_replace(', ...joined(values, ', '), given === '' ? ')' : `, '${given}')`]
}

/**
 * Patterns whose first match is as long in DuckDB as in PostgreSQL, which takes the longest of all: characters and classes, each
 * with at most one greedy count. Alternatives and groups are not; nor is `\w`, which knows only ASCII there.
 */
const simple =
  /^\^?(?:(?:[^\\^$.|?*+()[\]{}]|\\[d.^$|?*+()[\]{}\\/-]|\.|\[\^?[^\\\][]+\])(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})?(?![?*+{]))*\$?$/u

/** The first match of a pattern, null without one. */
export function printSubstring(printing: Printing, [text, pattern]: readonly Bound[]): Piece[] | null {
  if (!text || !pattern || printing.dialect !== 'duckdb') return null
  const written = pattern.kind === 'constant' ? pattern.value : undefined
  if (written !== null && (written === undefined || !simple.test(written))) {
    throw new Unprintable('REGEXP_SUBSTR on this data source by a pattern with alternatives, groups or \\w', pattern.at)
  }
  const [value, by] = [printing.value(text), printing.value(pattern)]
  const found: Piece[] = ['regexp_matches(', ...value, ', ', ...by, ", 's')"]
  return ['CASE WHEN ', ...found, ' THEN regexp_extract(', ...value, ', ', ...by, ", 0, 's') END"]
}
