/** A name in double quotes. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text in single quotes. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''").replaceAll('\0', '')}'`

/** `"view"."member"` of `view.member`. */
export function columnOf(member: string): string {
  const dot = member.indexOf('.')
  return `${quoted(member.slice(0, dot))}.${quoted(member.slice(dot + 1))}`
}

/** A number without an exponent. */
export function numeral(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`not a number for a statement: ${value}`)
  return Math.abs(value) < 1e15 && Math.abs(value) >= 1e-6
    ? String(value)
    : value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

/** Part of a text to look for, whatever the case; what patterns mean by `%` and `_` is taken as it is written. */
export const like = (column: string, text: string): string =>
  `${column} ILIKE ${literal(`%${text.replace(/[\\%_]/g, '\\$&')}%`)}`

export const likeAny = (column: string, texts: readonly string[]): string =>
  texts.map(text => like(column, text)).join(' OR ')

/** Whether a text is one of some, whatever the case. */
export const isAny = (column: string, texts: readonly string[]): string =>
  texts.map(text => `${column} ILIKE ${literal(text.replace(/[\\%_]/g, '\\$&'))}`).join(' OR ')
