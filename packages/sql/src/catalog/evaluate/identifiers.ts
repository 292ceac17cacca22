import { CatalogError } from '../catalog-error.ts'

/** Words that PostgreSQL quotes when they are names. */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char character check
  coalesce collate column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user dec decimal default deferrable desc distinct do else end except exists extract false fetch float for
  foreign freeze from full grant greatest group grouping having ilike in initially inner inout int integer intersect interval into is
  isnull join lateral leading least left like limit localtime localtimestamp national natural nchar none normalize not notnull null
  nullif numeric offset on only or order out outer overlaps overlay placing position precision primary real references returning right
  row select session_user setof similar smallint some substring symmetric table tablesample then time timestamp to trailing treat trim
  true union unique user using values varchar variadic verbose when where window with`.split(/\s+/),
)

/** A name as SQL writes it. */
export const quoteIdentifier = (name: string): string =>
  /^[a-z_][a-z0-9_$]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`

/** The names of a dotted path as SQL means them: unquoted ones in lower case. @throws {CatalogError} 42602 */
export function readIdentifiers(text: string): string[] {
  const names: string[] = []
  const pattern = /\s*(?:"((?:[^"]|"")+)"|([^\s".]+))\s*(\.|$)/y
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text)
    if (!match) throw new CatalogError('42602', 'invalid name syntax')
    names.push(match[1] === undefined ? (match[2] ?? '').toLowerCase() : match[1].replaceAll('""', '"'))
    if (match[3] === '') break
  }
  if (names.length === 0) throw new CatalogError('42602', 'invalid name syntax')
  return names
}
