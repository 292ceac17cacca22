import type { Dialect, OrderKey, Page } from './dialect.ts'

/** LIMIT and OFFSET after ORDER BY. */
export const page = limitAfterOffset(false)

/** For databases that want OFFSET first. */
export const pageOffsetFirst = limitAfterOffset(true)

function limitAfterOffset(offsetFirst: boolean): Dialect['page'] {
  return ({ body, order, limit, offset }) => {
    const lines = [body]
    if (order.length > 0) lines.push(`ORDER BY ${order.map(orderNullsLast).join(', ')}`)
    const cuts = [limit === null ? [] : [`LIMIT ${limit}`], offset === null ? [] : [`OFFSET ${offset}`]]
    return [...lines, ...(offsetFirst ? cuts.reverse() : cuts).flat()].join('\n')
  }
}

/** LIMIT can't be left out before OFFSET; MySQL's manual names this number for "all". */
const allRows = '18446744073709551615'

/** MySQL. */
export function pageOfMysql({ body, order, limit, offset }: Page): string {
  const count = limit ?? (offset === null ? null : allRows)
  const lines = order.length > 0 ? [...outer('SELECT', body, '`rows`'), orderBy(order)] : [body]
  if (count !== null) lines.push(`LIMIT ${count}`)
  if (offset !== null) lines.push(`OFFSET ${offset}`)
  return lines.join('\n')
}

/** SQL Server. OFFSET needs an order, and FETCH a row to fetch. */
export function pageOfSqlServer({ body, order, limit, offset }: Page): string {
  if (order.length === 0 && limit === null && offset === null) return body
  if (offset === null || limit === '0') {
    const lines = outer(limit === null ? 'SELECT' : `SELECT TOP (${limit})`, body, '[rows]')
    return [...lines, ...(order.length > 0 ? [orderBy(order)] : [])].join('\n')
  }
  const fetch = limit === null ? '' : ` FETCH NEXT ${limit} ROWS ONLY`
  const sorted = order.length > 0 ? orderBy(order) : 'ORDER BY (SELECT NULL)'
  return [...outer('SELECT', body, '[rows]'), sorted, `OFFSET ${offset} ROWS${fetch}`].join('\n')
}

/** Makes outputs columns of one table, as ORDER BY takes no position in an expression, and a name may be that of others. */
const outer = (select: string, body: string, alias: string) => [
  `${select} *`,
  `FROM (\n${body.replace(/^(?=.)/gm, '  ')}\n) AS ${alias}`,
]

const orderBy = (order: readonly OrderKey[]) => `ORDER BY ${order.map(orderNullsLeast).join(', ')}`

const orderNullsLast = ({ position, descending, nullsFirst }: OrderKey) =>
  `${position} ${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`

/** For databases where null is less than any value. */
function orderNullsLeast({ column, descending, nullsFirst }: OrderKey): string {
  const direction = descending ? 'DESC' : 'ASC'
  if (nullsFirst !== descending) return `${column} ${direction}`
  return `CASE WHEN ${column} IS NULL THEN ${nullsFirst ? 0 : 1} ELSE ${nullsFirst ? 1 : 0} END, ${column} ${direction}`
}
