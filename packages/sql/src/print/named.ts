/**
 * `body` of DuckDB in which `name` is `value`: SQL has no other word for what is computed once and used several times. Names have to be
 * those of no table and no column.
 */
export const named = (name: string, value: string, body: string): string =>
  `list_transform([${value}], lambda ${name}: ${body})[1]`

/** The English ending of the number that a text writes, as PostgreSQL has it: 1st, 2nd, 3rd, 4th, 11th. */
export const ordinal = (text: string, isUpper: boolean): string => {
  const [first, second, third, other] = (['st', 'nd', 'rd', 'th'] as const).map(end =>
    isUpper ? end.toUpperCase() : end,
  )
  const last = `CASE WHEN ${text} LIKE '%1_' THEN '0' ELSE right(${text}, 1) END`
  return `CASE ${last} WHEN '1' THEN '${first}' WHEN '2' THEN '${second}' WHEN '3' THEN '${third}' ELSE '${other}' END`
}
