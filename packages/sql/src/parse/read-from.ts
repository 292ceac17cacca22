import type { Alias, Node } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { FromItem } from '../shapes/tree.ts'
import { deeper, kindOf, only, type Reading, readName } from './read.ts'
import { readCall } from './read-expression.ts'

const joinTypes = { JOIN_INNER: 'inner', JOIN_LEFT: 'left', JOIN_RIGHT: 'right', JOIN_FULL: 'full' } as const

export function readFrom(reading: Reading, node: Node, around: number): FromItem {
  return deeper(reading, () => readItem(reading, node, around))
}

function readItem(reading: Reading, node: Node, around: number): FromItem {
  if ('RangeVar' in node) {
    const { schemaname, relname, alias, location } = node.RangeVar
    const at = reading.at(location)
    only(node.RangeVar, ['schemaname', 'relname', 'alias', 'inh', 'relpersistence', 'location'], 'A table', at)
    if (relname === undefined) throw new SqlError('42601', 'A table has no name', at)
    return { kind: 'table', schema: schemaname ?? null, name: relname, ...readAlias(alias, at), at }
  }
  if ('RangeSubselect' in node) {
    const { lateral = false, subquery, alias } = node.RangeSubselect
    if (!subquery) throw new SqlError('42601', 'A sub-query is missing', around)
    const query = reading.query(subquery, around)
    const { alias: name, columns } = readAlias(alias, around)
    return { kind: 'query', query, alias: name ?? 'unnamed_subquery', columns, lateral, at: around }
  }
  if ('JoinExpr' in node) {
    const { jointype, larg, rarg, quals, usingClause, isNatural, alias } = node.JoinExpr
    if (alias) throw unsupported('An alias of a join', around)
    if (!larg || !rarg) throw new SqlError('42601', 'A side of a join is missing', around)
    const type = Object.entries(joinTypes).find(([name]) => name === jointype)?.[1]
    if (!type) throw unsupported(`The join ${jointype}`, around)
    const using = (usingClause ?? []).map(name => readName(name, around))
    const on = quals ? reading.expression(quals) : null
    return {
      kind: 'join',
      type: type === 'inner' && !on && !isNatural && using.length === 0 ? 'cross' : type,
      left: readFrom(reading, larg, around),
      right: readFrom(reading, rarg, around),
      on,
      using,
      natural: isNatural ?? false,
      at: around,
    }
  }
  if ('RangeFunction' in node) {
    const { functions, alias, ...rest } = node.RangeFunction
    only(rest, ['is_rowsfrom', 'lateral'], 'A function in FROM', around)
    const [first, second] = functions ?? []
    const call = first && 'List' in first ? first.List.items?.[0] : undefined
    if (second || rest.is_rowsfrom || !call || !('FuncCall' in call)) throw unsupported('This function in FROM', around)
    const read = readCall(reading, call.FuncCall)
    return { kind: 'function', call: read, ...readAlias(alias, read.at), at: read.at }
  }
  throw unsupported(`A ${kindOf(node)} in FROM`, around)
}

function readAlias(alias: Alias | undefined, at: number): { alias: string | null; columns: readonly string[] } {
  return { alias: alias?.aliasname ?? null, columns: (alias?.colnames ?? []).map(name => readName(name, at)) }
}
