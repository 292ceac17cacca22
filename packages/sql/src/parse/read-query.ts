import type { Node, SelectStmt } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Body, CommonTable, Expression, Query, Select, Target } from '../shapes/tree.ts'
import { deeper, kindOf, only, type Reading, readExpressions, readName, required } from './read.ts'
import { readFrom } from './read-from.ts'
import { readGrouping } from './read-grouping.ts'
import { readSortKeys } from './read-sort-keys.ts'
import { readWindow } from './read-window.ts'

export function readQueryNode(reading: Reading, node: Node, at: number): Query {
  if ('SelectStmt' in node) return readQuery(reading, node.SelectStmt, at)
  throw unsupported(kindOf(node).replace(/ stmt$/, ''), at)
}

const selectKeys = [
  'distinctClause',
  'targetList',
  'fromClause',
  'whereClause',
  'groupClause',
  'groupDistinct',
  'havingClause',
  'windowClause',
  'valuesLists',
  'sortClause',
  'limitOffset',
  'limitCount',
  'limitOption',
  'withClause',
  'op',
  'all',
  'larg',
  'rarg',
]

export function readQuery(reading: Reading, statement: SelectStmt, at: number): Query {
  return deeper(reading, () => {
    only(statement, selectKeys, 'SELECT', at)
    const { withClause, sortClause, limitCount, limitOffset, limitOption } = statement
    if (limitOption === 'LIMIT_OPTION_WITH_TIES') throw unsupported('FETCH FIRST ... WITH TIES', at)
    if (withClause?.recursive) throw unsupported('WITH RECURSIVE', reading.at(withClause.location))
    return {
      with: (withClause?.ctes ?? []).map(node => readCommonTable(reading, node, at)),
      body: readBody(reading, statement, at),
      order: readSortKeys(reading, sortClause),
      limit: readRowCount(reading, limitCount),
      offset: readRowCount(reading, limitOffset),
      at,
    }
  })
}

/** `LIMIT ALL` and `LIMIT NULL` are no limit. */
function readRowCount(reading: Reading, node: Node | undefined): Expression | null {
  if (!node) return null
  const count = reading.expression(node)
  return count.kind === 'constant' && count.value.type === 'null' ? null : count
}

function readCommonTable(reading: Reading, node: Node, at: number): CommonTable {
  if (!('CommonTableExpr' in node)) throw unsupported(kindOf(node), at)
  const { ctename, aliascolnames, ctequery, location } = node.CommonTableExpr
  const place = reading.at(location)
  const known = ['ctename', 'aliascolnames', 'ctematerialized', 'ctequery', 'location']
  only(node.CommonTableExpr, known, 'A common table expression', place)
  if (ctename === undefined || !ctequery) throw new SqlError('42601', 'A common table expression is empty', place)
  return {
    name: ctename,
    columns: (aliascolnames ?? []).map(name => readName(name, place)),
    query: reading.query(ctequery, place),
    at: place,
  }
}

const operations = { SETOP_UNION: 'union', SETOP_INTERSECT: 'intersect', SETOP_EXCEPT: 'except' } as const

function readBody(reading: Reading, statement: SelectStmt, at: number): Body {
  const { op = 'SETOP_NONE', larg, rarg, all = false, valuesLists } = statement
  if (op !== 'SETOP_NONE') {
    if (!larg || !rarg) throw new SqlError('42601', 'A side of a set operation is missing', at)
    return { kind: operations[op], all, left: readQuery(reading, larg, at), right: readQuery(reading, rarg, at), at }
  }
  if (valuesLists) {
    const rows = valuesLists.map(row => {
      if (!('List' in row)) throw unsupported(kindOf(row), at)
      return readExpressions(reading, row.List.items)
    })
    return { kind: 'values', rows, at }
  }
  return readSelect(reading, statement, at)
}

function readSelect(reading: Reading, statement: SelectStmt, at: number): Select {
  const {
    distinctClause,
    targetList,
    fromClause,
    whereClause,
    groupClause,
    groupDistinct,
    havingClause,
    windowClause,
  } = statement
  const on = (distinctClause ?? []).filter(node => Object.keys(node).length > 0)
  return {
    kind: 'select',
    distinct: distinctClause ? { on: readExpressions(reading, on) } : null,
    targets: (targetList ?? []).map(node => readTarget(reading, node, at)),
    from: (fromClause ?? []).map(node => readFrom(reading, node, at)),
    where: whereClause ? reading.expression(whereClause) : null,
    ...readGrouping(reading, groupClause ?? [], groupDistinct ?? false),
    having: havingClause ? reading.expression(havingClause) : null,
    windows: (windowClause ?? []).map(node => {
      if (!('WindowDef' in node) || node.WindowDef.name === undefined) throw unsupported(kindOf(node), at)
      const { name, ...window } = node.WindowDef
      return { name, window: readWindow(reading, window, at) }
    }),
    at,
  }
}

function readTarget(reading: Reading, node: Node, at: number): Target {
  if (!('ResTarget' in node)) throw unsupported(kindOf(node), at)
  const { name, val, location } = node.ResTarget
  const place = reading.at(location)
  only(node.ResTarget, ['name', 'val', 'location'], 'A column', place)
  if (val && 'ColumnRef' in val) {
    const fields = val.ColumnRef.fields ?? []
    const last = fields.at(-1)
    if (last && 'A_Star' in last) {
      const names = fields.slice(0, -1).map(field => readName(field, place))
      return { kind: 'star', table: names.at(-1) ?? null, at: place }
    }
  }
  return { kind: 'value', name: name ?? null, value: required(reading, val, place), at: place }
}
