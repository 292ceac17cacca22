import type { A_Const, Node } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { callFunction } from '../functions/call-function.ts'
import { arrayOf, isArrayType, typeByName } from '../values/types.ts'
import { compareValues, type Value } from '../values/value.ts'
import { castValue } from './cast.ts'
import { coerce, commonType, settle } from './coerce.ts'
import { compileIndirection } from './compile-indirection.ts'
import { compileOperator } from './compile-operator.ts'
import { compileSubquery } from './compile-subquery.ts'
import {
  type Collectors,
  type Compiler,
  type Expression,
  type ExpressionCompiler,
  namesOf,
  noCollectors,
  undefinedColumn,
} from './expression.ts'
import { binary } from './operators.ts'
import { findColumn, findRelation, frameAt, type Scope } from './scope.ts'
import { lazily, negate } from './truth.ts'

/** Understands the expressions of one query level. */
export function expressionCompiler(
  compiler: Compiler,
  scope: Scope,
  collectors: Collectors = noCollectors,
): ExpressionCompiler {
  const compile: ExpressionCompiler = Object.assign((node: Node | undefined) => compileNode(compile, node), {
    compiler,
    scope,
    collectors,
    plain: () => expressionCompiler(compiler, scope),
  })
  return compile
}

function compileNode(compile: ExpressionCompiler, node: Node | undefined): Expression {
  const { compiler, scope } = compile
  if (!node) throw new CatalogError('42601', 'an expression is missing')
  if ('A_Const' in node) return constant(node.A_Const)
  if ('ColumnRef' in node) return columnReference(scope, node.ColumnRef.fields ?? [], node.ColumnRef.location)
  if ('ParamRef' in node) return parameter(compiler, node.ParamRef.number ?? 0)
  if ('A_Expr' in node) return compileOperator(compile, node.A_Expr)
  if ('BoolExpr' in node) {
    const parts = (node.BoolExpr.args ?? []).map(part => coerce(compiler, compile(part), 'bool'))
    if (node.BoolExpr.boolop === 'NOT_EXPR') {
      const [part] = parts
      return { type: 'bool', run: frame => negate(part?.run(frame) ?? null) }
    }
    const all = node.BoolExpr.boolop === 'AND_EXPR'
    return { type: 'bool', run: frame => lazily(parts, all, part => part.run(frame)) }
  }
  if ('NullTest' in node) {
    const operand = settle(compiler, compile(node.NullTest.arg))
    const isNull = node.NullTest.nulltesttype === 'IS_NULL'
    return { type: 'bool', run: frame => (operand.run(frame) === null) === isNull }
  }
  if ('BooleanTest' in node) {
    const operand = coerce(compiler, compile(node.BooleanTest.arg), 'bool')
    const test = booleanTests[node.BooleanTest.booltesttype ?? 'IS_UNKNOWN']
    return { type: 'bool', run: frame => test?.(operand.run(frame)) ?? null }
  }
  if ('TypeCast' in node) {
    const type = typeName(node.TypeCast.typeName?.names, node.TypeCast.typeName?.arrayBounds)
    const operand = compile(node.TypeCast.arg)
    const { arg } = node.TypeCast
    const name = arg && namesItself(arg) ? (operand.name ?? type) : type
    if (operand.type === 'unknown') return { ...coerce(compiler, operand, type), name }
    const { view } = compiler
    return { type, name, run: frame => castValue(view, operand.type, type, operand.run(frame)) }
  }
  if ('FuncCall' in node) return callFunction(compile, node.FuncCall)
  if ('SubLink' in node) return compileSubquery(compile, node.SubLink)
  if ('CaseExpr' in node) return compileCase(compile, node)
  if ('CoalesceExpr' in node) {
    const { parts, type } = unified(compile, node.CoalesceExpr.args ?? [], 'COALESCE')
    return {
      type,
      name: 'coalesce',
      run: frame => {
        for (const part of parts) {
          const value = part.run(frame)
          if (value !== null) return value
        }
        return null
      },
    }
  }
  if ('MinMaxExpr' in node) {
    const { parts, type } = unified(compile, node.MinMaxExpr.args ?? [], 'GREATEST')
    const sign = node.MinMaxExpr.op === 'IS_LEAST' ? -1 : 1
    return {
      type,
      name: sign < 0 ? 'least' : 'greatest',
      run: frame => {
        const values = parts.map(part => part.run(frame)).filter(value => value !== null)
        return values.reduce<Value>(
          (best, value) => (best === null || compareValues(value, best) * sign > 0 ? value : best),
          null,
        )
      },
    }
  }
  if ('A_ArrayExpr' in node) {
    const elements = node.A_ArrayExpr.elements ?? []
    if (elements.length === 0) return { type: '_text', name: 'array', run: () => [] }
    const { parts, type } = unified(compile, elements, 'ARRAY')
    return {
      type: isArrayType(type) ? type : arrayOf(type),
      name: 'array',
      run: frame => parts.map(part => part.run(frame)),
    }
  }
  if ('RowExpr' in node) {
    const parts = (node.RowExpr.args ?? []).map(part => settle(compiler, compile(part)))
    const row = { names: parts.map((_, index) => `f${index + 1}`), types: parts.map(part => part.type) }
    return { type: 'record', name: 'row', row, run: frame => ({ ...row, values: parts.map(part => part.run(frame)) }) }
  }
  if ('A_Indirection' in node)
    return compileIndirection(compile, node.A_Indirection.arg, node.A_Indirection.indirection ?? [])
  if ('SQLValueFunction' in node) return sqlValue(compiler, node.SQLValueFunction.op ?? '')
  if ('CollateClause' in node) return compile(node.CollateClause.arg)
  throw notSupported(`an expression of kind ${Object.keys(node)[0]}`)
}

function constant({ ival, fval, boolval, sval, isnull }: A_Const): Expression {
  if (isnull) return { type: 'unknown', literal: null, run: () => null }
  if (sval) return { type: 'unknown', literal: sval.sval ?? '', run: () => sval.sval ?? '' }
  if (boolval) return { type: 'bool', name: 'bool', run: () => boolval.boolval ?? false }
  if (ival) return { type: 'int4', run: () => ival.ival ?? 0 }
  const text = fval?.fval ?? ''
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return { type: 'int8', run: () => Number(text) }
  throw notSupported('a number with a fraction, or a very large one,')
}

function parameter({ parameterTypes }: Compiler, number: number): Expression {
  while (parameterTypes.length < number) parameterTypes.push(undefined)
  return { type: 'unknown', parameter: number, run: ({ run }) => run.parameters[number - 1] ?? null }
}

function columnReference(scope: Scope, fields: readonly Node[], location?: number): Expression {
  const names = namesOf(fields)
  const [name = '', relation = null] = names.toReversed()
  const found = findColumn(scope, relation, name, location)
  if (found) {
    const { depth, index, column } = found
    const read = depth === 0 ? ({ row }: { readonly row: readonly Value[] }) => row[index] ?? null : undefined
    return {
      type: column.type,
      name,
      row: column.row,
      run: read ?? (frame => frameAt(frame, depth).row[index] ?? null),
    }
  }
  const whole = names.length === 1 ? findRelation(scope, name) : undefined
  if (!whole) throw undefinedColumn(names.join('.'), location)
  const row = { names: whole.all.map(each => each.column.name), types: whole.all.map(each => each.column.type) }
  return {
    type: 'record',
    name,
    row,
    run: frame => {
      const { row: values } = frameAt(frame, whole.depth)
      return { ...row, values: whole.all.map(({ index }) => values[index] ?? null) }
    },
  }
}

function compileCase(compile: ExpressionCompiler, node: Extract<Node, { CaseExpr: unknown }>): Expression {
  const { compiler } = compile
  const { arg, args = [], defresult } = node.CaseExpr
  const subject = arg && compile(arg)
  const branches = args.flatMap(each => ('CaseWhen' in each ? [each.CaseWhen] : []))
  const otherwise = compile(defresult ?? { A_Const: { isnull: true } })
  // As PostgreSQL does, ELSE first: it decides between types of equal right, and it names the column.
  const results = branches.map(branch => compile(branch.result))
  const common = [otherwise, ...results].reduce((known, part) => commonType(known, part.type, 'CASE'), 'unknown')
  const type = common === 'unknown' ? 'text' : common
  const parts = [...results, otherwise].map(part => coerce(compiler, part, type))
  const conditions = branches.map(({ expr }) =>
    subject ? binary(compiler, '=', subject, compile(expr)) : coerce(compiler, compile(expr), 'bool'),
  )
  return {
    type,
    name: defresult && namesItself(defresult) ? (otherwise.name ?? 'case') : 'case',
    run: frame => {
      const index = conditions.findIndex(condition => condition.run(frame) === true)
      return parts.at(index)?.run(frame) ?? null
    },
  }
}

/** What names a column better than the CASE around it. */
const namesItself = (node: Node): boolean =>
  'ColumnRef' in node ||
  'FuncCall' in node ||
  'CoalesceExpr' in node ||
  ('TypeCast' in node && node.TypeCast.arg !== undefined && namesItself(node.TypeCast.arg))

/** Expressions as one type. */
function unified(compile: ExpressionCompiler, nodes: readonly (Node | undefined)[], where: string) {
  const parts = nodes.map(compile)
  const common = parts.reduce((type, part) => commonType(type, part.type, where), 'unknown')
  const type = common === 'unknown' ? 'text' : common
  return { type, parts: parts.map(part => coerce(compile.compiler, part, type)) }
}

const sqlValues: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  SVFOP_CURRENT_USER: { name: 'current_user', type: 'name' },
  SVFOP_USER: { name: 'user', type: 'name' },
  SVFOP_SESSION_USER: { name: 'session_user', type: 'name' },
  SVFOP_CURRENT_ROLE: { name: 'current_role', type: 'name' },
  SVFOP_CURRENT_CATALOG: { name: 'current_catalog', type: 'name' },
  SVFOP_CURRENT_SCHEMA: { name: 'current_schema', type: 'name' },
}

function sqlValue({ view }: Compiler, operation: string): Expression {
  const known = sqlValues[operation]
  if (!known) throw notSupported('the current time')
  const { user, database } = view.session
  const value = known.name === 'current_catalog' ? database : known.name === 'current_schema' ? 'public' : user
  return { ...known, run: () => value }
}

/** The name of a type as a statement writes it. @throws {CatalogError} 42704 */
export function typeName(names: readonly Node[] | undefined, bounds?: readonly Node[]): string {
  const name = namesOf(names).at(-1) ?? ''
  const domains: Readonly<Record<string, string>> = {
    sql_identifier: 'name',
    character_data: 'varchar',
    cardinal_number: 'int4',
    yes_or_no: 'varchar',
  }
  const type = typeByName(domains[name] ?? name)
  if (!type) throw new CatalogError('42704', `type "${name}" does not exist`)
  return (bounds ?? []).length > 0 ? arrayOf(type.name) : type.name
}

const booleanTests: Readonly<Record<string, (value: Value) => boolean>> = {
  IS_TRUE: value => value === true,
  IS_NOT_TRUE: value => value !== true,
  IS_FALSE: value => value === false,
  IS_NOT_FALSE: value => value !== false,
  IS_UNKNOWN: value => value === null,
  IS_NOT_UNKNOWN: value => value !== null,
}
