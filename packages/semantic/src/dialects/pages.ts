import type { CutPage, Ordered, OrderKey } from './dialect.ts'

/** LIMIT and OFFSET after ORDER BY. */
export const pages = limitAfterOffset(false)

/** For databases that want OFFSET first. */
export const pagesOffsetFirst = limitAfterOffset(true)

function limitAfterOffset(offsetFirst: boolean): (ordered: Ordered) => CutPage {
  return ({ body, order }) => {
    const sorted = order.length > 0 ? `${body}\nORDER BY ${list(order, orderNullsLast)}` : body
    return (limit, offset) => {
      const limited = limit === null ? '' : `\nLIMIT ${limit}`
      const skipped = offset === null ? '' : `\nOFFSET ${offset}`
      return offsetFirst ? sorted + skipped + limited : sorted + limited + skipped
    }
  }
}

/** LIMIT can't be left out before OFFSET; MySQL's manual names this number for "all". */
const allRows = '18446744073709551615'

/** MySQL. */
export function pagesOfMysql({ body, order }: Ordered): CutPage {
  const sorted = order.length > 0 ? `${outer('SELECT', body, '`rows`')}\n${orderBy(order)}` : body
  return (limit, offset) => {
    const count = limit ?? (offset === null ? null : allRows)
    const limited = count === null ? '' : `\nLIMIT ${count}`
    return sorted + limited + (offset === null ? '' : `\nOFFSET ${offset}`)
  }
}

/** SQL Server. OFFSET needs an order, and FETCH a row to fetch. */
export const pagesOfSqlServer =
  ({ body, order }: Ordered): CutPage =>
  (limit, offset) => {
    if (order.length === 0 && limit === null && offset === null) return body
    if (offset === null || limit === '0') {
      const cut = outer(limit === null ? 'SELECT' : `SELECT TOP (${limit})`, body, '[rows]')
      return order.length > 0 ? `${cut}\n${orderBy(order)}` : cut
    }
    const fetch = limit === null ? '' : ` FETCH NEXT ${limit} ROWS ONLY`
    const sorted = order.length > 0 ? orderBy(order) : 'ORDER BY (SELECT NULL)'
    return `${outer('SELECT', body, '[rows]')}\n${sorted}\nOFFSET ${offset} ROWS${fetch}`
  }

/** Makes outputs columns of one table, as ORDER BY takes no position in an expression, and a name may be that of others. */
const outer = (select: string, body: string, alias: string) =>
  `${select} *\nFROM (\n${body.replace(/^(?=.)/gm, '  ')}\n) AS ${alias}`

const orderBy = (order: readonly OrderKey[]) => `ORDER BY ${list(order, orderNullsLeast)}`

function list(order: readonly OrderKey[], write: (key: OrderKey) => string): string {
  let text = ''
  for (const key of order) text += (text === '' ? '' : ', ') + write(key)
  return text
}

const orderNullsLast = ({ position, descending, nullsFirst }: OrderKey) =>
  `${position} ${descending ? 'DESC' : 'ASC'} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`

/** For databases where null is less than any value. */
function orderNullsLeast({ column, descending, nullsFirst }: OrderKey): string {
  const direction = descending ? 'DESC' : 'ASC'
  if (nullsFirst !== descending) return `${column} ${direction}`
  return `CASE WHEN ${column} IS NULL THEN ${nullsFirst ? 0 : 1} ELSE ${nullsFirst ? 1 : 0} END, ${column} ${direction}`
}
