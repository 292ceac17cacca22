import type { Expression } from '../shapes/plan.ts'

/** Most SQL is the name of a column, and to see it letter by letter is cheaper than an expression is. */
export function isColumnName(sql: string): boolean {
  if (sql.length === 0 || isDigit(sql.charCodeAt(0))) return false
  for (let position = 0; position < sql.length; position++) {
    const code = sql.charCodeAt(position)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    if (!isLetter && code !== 95 && !isDigit(code)) return false
  }
  return !'tfncl'.includes(sql.charAt(0).toLowerCase()) || !constants.test(sql)
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Words that look like a column and are none. */
const constants = /^(true|false|null|current_date|current_time|current_timestamp|localtime|localtimestamp)$/i

/** Whether an expression is null wherever its row is absent: a plain column. */
export function isColumn(expression: Expression): boolean {
  if (expression.kind === 'column') return true
  if (expression.kind !== 'sql' || expression.parts.length !== 2) return false
  const [table, name] = expression.parts
  return (
    typeof table !== 'string' && table?.kind === 'identifier' && typeof name === 'string' && /^\."?\w+"?$/.test(name)
  )
}
