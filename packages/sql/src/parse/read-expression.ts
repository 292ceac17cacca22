import type { A_Expr, FuncCall, Node, SubLink, TypeName as TypeNode } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Call, Constant, Expression, TypeName } from '../shapes/tree.ts'
import { deeper, kindOf, only, type Reading, readExpressions, readName, required } from './read.ts'
import { compareRows, isRow, together } from './read-rows.ts'
import { readSortKeys } from './read-sort-keys.ts'
import { readWindow } from './read-window.ts'

/** Reads an expression; kinds of nodes that are not named here are refused. */
export function readExpression(reading: Reading, node: Node): Expression {
  return deeper(reading, () => readNode(reading, node))
}

function readNode(reading: Reading, node: Node): Expression {
  if ('ColumnRef' in node) {
    const at = reading.at(node.ColumnRef.location)
    const fields = node.ColumnRef.fields ?? []
    if (fields.some(field => 'A_Star' in field)) throw unsupported('* in an expression', at)
    return { kind: 'column', names: fields.map(field => readName(field, at)), at }
  }
  if ('A_Const' in node) return { kind: 'constant', value: readConstant(node), at: reading.at(node.A_Const.location) }
  if ('ParamRef' in node) {
    return { kind: 'parameter', number: node.ParamRef.number ?? 0, at: reading.at(node.ParamRef.location) }
  }
  if ('FuncCall' in node) return readCall(reading, node.FuncCall)
  if ('A_Expr' in node) return readOperator(reading, node.A_Expr)
  if ('BoolExpr' in node) {
    const { boolop, args, location } = node.BoolExpr
    const at = reading.at(location)
    const [first, ...rest] = readExpressions(reading, args)
    if (!first) throw new SqlError('42601', 'An operand is missing', at)
    if (boolop === 'NOT_EXPR') return { kind: 'not', operand: first, at }
    return { kind: 'logical', operator: boolop === 'OR_EXPR' ? 'or' : 'and', operands: [first, ...rest], at }
  }
  if ('NullTest' in node) {
    const { arg, nulltesttype, location } = node.NullTest
    const at = reading.at(location)
    return { kind: 'isNull', operand: required(reading, arg, at), negated: nulltesttype === 'IS_NOT_NULL', at }
  }
  if ('BooleanTest' in node) {
    const { arg, booltesttype = 'IS_TRUE', location } = node.BooleanTest
    const at = reading.at(location)
    const truth = booltesttype.endsWith('TRUE') ? 'true' : booltesttype.endsWith('FALSE') ? 'false' : 'unknown'
    return { kind: 'isTruth', operand: required(reading, arg, at), truth, negated: booltesttype.includes('NOT'), at }
  }
  if ('CaseExpr' in node) {
    const { arg, args, defresult, location } = node.CaseExpr
    const at = reading.at(location)
    const when = (args ?? []).map(branch => {
      if (!('CaseWhen' in branch)) throw unsupported(kindOf(branch), at)
      return {
        condition: required(reading, branch.CaseWhen.expr, at),
        result: required(reading, branch.CaseWhen.result, at),
      }
    })
    const otherwise = defresult ? reading.expression(defresult) : null
    return { kind: 'case', operand: arg ? reading.expression(arg) : null, when, otherwise, at }
  }
  if ('CoalesceExpr' in node) return plainCall(reading, 'coalesce', node.CoalesceExpr)
  if ('GroupingFunc' in node) return plainCall(reading, 'grouping', node.GroupingFunc)
  if ('MinMaxExpr' in node) {
    return plainCall(reading, node.MinMaxExpr.op === 'IS_LEAST' ? 'least' : 'greatest', node.MinMaxExpr)
  }
  if ('SQLValueFunction' in node) {
    const { op = '', typmod, location } = node.SQLValueFunction
    const at = reading.at(location)
    if (typmod !== undefined && typmod >= 0) throw unsupported('A precision of the current time', at)
    return callOf(op.replace('SVFOP_', '').toLowerCase(), [], at)
  }
  if ('TypeCast' in node) {
    const { arg, typeName, location } = node.TypeCast
    const at = reading.at(location)
    const operand = required(reading, arg, at)
    return { kind: 'cast', operand, type: readType(typeName, at), at: at < 0 ? operand.at : at }
  }
  if ('SubLink' in node) return readSubLink(reading, node.SubLink)
  if ('A_ArrayExpr' in node) {
    return {
      kind: 'array',
      items: readExpressions(reading, node.A_ArrayExpr.elements),
      at: reading.at(node.A_ArrayExpr.location),
    }
  }
  if ('CollateClause' in node) {
    const { arg, collname, location } = node.CollateClause
    const at = reading.at(location)
    const name = (collname ?? []).map(part => readName(part, at)).at(-1)
    // What texts are compared by here anyway.
    if (name !== 'default' && name !== 'C' && name !== 'POSIX') throw unsupported(`The collation "${name}"`, at)
    return required(reading, arg, at)
  }
  throw unsupported(`A ${kindOf(node)} in an expression`, placeOf(reading, node))
}

function placeOf(reading: Reading, node: Node): number {
  const [inner] = Object.values(node)
  const location: unknown = typeof inner === 'object' && inner !== null ? Reflect.get(inner, 'location') : undefined
  return reading.at(typeof location === 'number' ? location : undefined)
}

function readConstant(node: Extract<Node, { A_Const: unknown }>): Constant {
  const { isnull, ival, fval, boolval, sval, bsval, location } = node.A_Const
  if (isnull) return { type: 'null' }
  if (ival) return { type: 'integer', value: String(ival.ival ?? 0) }
  if (boolval) return { type: 'boolean', value: boolval.boolval ?? false }
  if (sval) return { type: 'text', value: sval.sval ?? '' }
  if (fval?.fval !== undefined) return readNumber(fval.fval, location ?? -1)
  throw unsupported(bsval ? 'A bit string' : 'This constant', location ?? -1)
}

/** What does not fit 32 bits comes as a float, whatever it is; other bases and underscores are of PostgreSQL 16. */
function readNumber(written: string, at: number): Constant {
  const digits = written.replaceAll('_', '')
  if (/^-?\d+$/.test(digits)) return { type: 'integer', value: digits }
  if (/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i.test(digits)) return { type: 'decimal', value: digits }
  if (/^0[xob][\da-f]+$/i.test(digits)) return { type: 'integer', value: BigInt(digits).toString() }
  throw unsupported(`The number ${written.slice(0, 50)}`, at)
}

const callOf = (name: string, args: readonly Expression[], at: number): Call => ({
  kind: 'call',
  schema: null,
  name,
  arguments: args,
  star: false,
  distinct: false,
  order: [],
  withinGroup: false,
  filter: null,
  over: null,
  at,
})

function plainCall(reading: Reading, name: string, { args, location }: { args?: Node[]; location?: number }): Call {
  return callOf(name, readExpressions(reading, args), reading.at(location))
}

export function readCall(reading: Reading, call: FuncCall): Call {
  const at = reading.at(call.location)
  const known = [
    'funcname',
    'args',
    'agg_order',
    'agg_filter',
    'over',
    'agg_within_group',
    'agg_star',
    'agg_distinct',
    'funcformat',
    'location',
  ]
  only(call, known, 'A function call', at)
  const names = (call.funcname ?? []).map(part => readName(part, at))
  const name = names.at(-1)
  if (name === undefined || names.length > 2) throw unsupported(`The function ${names.join('.')}`, at)
  const args = call.args ?? []
  const named = args.find(argument => 'NamedArgExpr' in argument)
  if (named) throw unsupported('An argument by name', at)
  return {
    ...callOf(name.toLowerCase(), readExpressions(reading, args), at),
    schema: names.length === 2 ? (names[0] ?? null) : null,
    star: call.agg_star ?? false,
    distinct: call.agg_distinct ?? false,
    order: readSortKeys(reading, call.agg_order),
    withinGroup: call.agg_within_group ?? false,
    filter: call.agg_filter ? reading.expression(call.agg_filter) : null,
    over: call.over ? readWindow(reading, call.over, at) : null,
  }
}

function readOperator(reading: Reading, { kind, name, lexpr, rexpr, location }: A_Expr): Expression {
  const at = reading.at(location)
  const operator = (name ?? []).map(part => readName(part, at)).at(-1) ?? ''
  if ((name?.length ?? 0) > 1) {
    const [schema] = (name ?? []).map(part => readName(part, at))
    if (schema !== 'pg_catalog') throw unsupported(`The operator ${schema}.${operator}`, at)
  }
  const list = (): Expression[] => {
    if (rexpr && 'List' in rexpr) return readExpressions(reading, rexpr.List.items)
    throw new SqlError('42601', 'A list is missing', at)
  }
  const left = () => required(reading, lexpr, at)
  const right = () => required(reading, rexpr, at)
  switch (kind) {
    case undefined:
    case 'AEXPR_OP':
      if (lexpr && rexpr && (isRow(lexpr) || isRow(rexpr))) return compareRows(reading, operator, lexpr, rexpr, at)
      return { kind: 'operator', operator, left: lexpr ? left() : null, right: right(), at }
    case 'AEXPR_IN':
      if (lexpr && isRow(lexpr)) return readRowIn(reading, lexpr, rexpr, operator === '<>', at)
      return { kind: 'in', operand: left(), items: list(), negated: operator === '<>', at }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN': {
      const [low, high] = list()
      if (!low || !high) throw new SqlError('42601', 'BETWEEN takes two bounds', at)
      return { kind: 'between', operand: left(), low, high, negated: kind === 'AEXPR_NOT_BETWEEN', at }
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
      return { kind: 'operator', operator, left: left(), right: right(), at }
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT': {
      const name = kind === 'AEXPR_DISTINCT' ? 'is distinct from' : 'is not distinct from'
      if (lexpr && rexpr && isRow(lexpr)) return compareRows(reading, name, lexpr, rexpr, at)
      return { kind: 'operator', operator: name, left: left(), right: right(), at }
    }
    case 'AEXPR_NULLIF':
      return callOf('nullif', [left(), right()], at)
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL':
      return { kind: 'anyOf', operator, all: kind === 'AEXPR_OP_ALL', operand: left(), array: right(), at }
    default:
      throw unsupported(kind.replace('AEXPR_', '').replaceAll('_', ' '), at)
  }
}

/** `(a, b) IN ((1, 2), (3, 4))` */
function readRowIn(reading: Reading, row: Node, list: Node | undefined, negated: boolean, at: number): Expression {
  const items = list && 'List' in list ? (list.List.items ?? []) : []
  const any = together(
    'or',
    items.map(item => compareRows(reading, '=', row, item, at)),
    at,
  )
  return negated ? { kind: 'not', operand: any, at } : any
}

function readSubLink(reading: Reading, { subLinkType, testexpr, operName, subselect, location }: SubLink): Expression {
  const at = reading.at(location)
  if (!subselect) throw new SqlError('42601', 'A sub-query is missing', at)
  const query = reading.query(subselect, at)
  switch (subLinkType) {
    case 'EXISTS_SUBLINK':
      return { kind: 'exists', query, at }
    case 'EXPR_SUBLINK':
      return { kind: 'scalarQuery', query, at }
    case 'ANY_SUBLINK': {
      const operator = (operName ?? []).map(part => readName(part, at)).at(-1)
      if (operator !== undefined && operator !== '=') throw unsupported(`${operator} ANY of a sub-query`, at)
      return { kind: 'inQuery', operand: required(reading, testexpr, at), query, negated: false, at }
    }
    default:
      throw unsupported(`${String(subLinkType).replace('_SUBLINK', '')} of a sub-query`, at)
  }
}

export function readType(type: TypeNode | undefined, at: number): TypeName {
  const names = (type?.names ?? []).map(part => readName(part, at))
  const name = names.at(-1)
  if (!type || name === undefined || (names.length === 2 && names[0] !== 'pg_catalog') || names.length > 2) {
    throw unsupported(`The type ${names.join('.')}`, at)
  }
  if (type.setof || type.pct_type) throw unsupported(`The type ${name}`, at)
  const modifiers = (type.typmods ?? []).map(node => {
    if ('A_Const' in node && node.A_Const.ival) return node.A_Const.ival.ival ?? 0
    throw unsupported(`The type ${name} with these modifiers`, at)
  })
  return { name: name.toLowerCase(), modifiers, isArray: (type.arrayBounds?.length ?? 0) > 0 }
}
