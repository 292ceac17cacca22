import type { Node, SelectStmt } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import type { Value } from '../values/value.ts'
import { checkGrouping } from './check-grouping.ts'
import { coerce, commonType, settle } from './coerce.ts'
import { expressionCompiler } from './compile-expression.ts'
import { compileFrom } from './compile-from.ts'
import { compileTargets, type Target } from './compile-targets.ts'
import type { Aggregate, Compiler, Expression, ExpressionCompiler, SetFunction, WindowValue } from './expression.ts'
import type { Row } from './join-rows.ts'
import type { Frame } from './run.ts'
import { once } from './run.ts'
import { createScope, type Relation, type Scope, type ScopeColumn } from './scope.ts'
import { append, distinctRows, groupFrames, placeBehind, type SortKey, sortFrames } from './select-rows.ts'

/** Understands a query. @param outer the level around, whose columns it may read. */
export function compileSelect(compiler: Compiler, statement: SelectStmt, outer: Scope | null): Relation {
  if (statement.intoClause || statement.lockingClause) throw notSupported('SELECT that writes or locks')
  const scope = createScope(outer)
  addCommonTables(compiler, statement, scope)
  if (statement.op && statement.op !== 'SETOP_NONE') return compileSetOperation(compiler, statement, scope)
  if (statement.valuesLists) return compileValues(compiler, statement, scope)
  return compilePlain(compiler, statement, scope)
}

function addCommonTables(compiler: Compiler, { withClause }: SelectStmt, scope: Scope): void {
  if (
    withClause?.recursive &&
    (withClause.ctes ?? []).some(cte => 'CommonTableExpr' in cte && isSelfNamed(cte.CommonTableExpr))
  ) {
    throw notSupported('WITH RECURSIVE')
  }
  for (const node of withClause?.ctes ?? []) {
    if (!('CommonTableExpr' in node) || !node.CommonTableExpr.ctequery) throw notSupported('this kind of WITH')
    const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr
    const relation = compiler.select(ctequery, scope)
    const names = (aliascolnames ?? []).map(each => ('String' in each ? (each.String.sval ?? '') : ''))
    const columns = relation.columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }))
    const key = {}
    const rows = (frame: Frame) =>
      relation.constant ? once(frame.run, key, () => relation.rows(frame)) : relation.rows(frame)
    scope.ctes.set(ctename, { ...relation, columns, rows })
  }
}

const isSelfNamed = ({ ctename, ctequery }: { ctename?: string; ctequery?: Node }): boolean =>
  JSON.stringify(ctequery ?? null).includes(`"relname":${JSON.stringify(ctename)}`)

function compileSetOperation(compiler: Compiler, statement: SelectStmt, scope: Scope): Relation {
  const { larg, rarg, op, all = false } = statement
  if (!larg || !rarg) throw new CatalogError('42601', 'a set operation without sides')
  const [left, right] = [compiler.select({ SelectStmt: larg }, scope), compiler.select({ SelectStmt: rarg }, scope)]
  if (left.columns.length !== right.columns.length) {
    throw new CatalogError('42601', 'each UNION query must have the same number of columns')
  }
  const types = left.columns.map(({ type }, index) => commonType(type, right.columns[index]?.type ?? type, 'UNION'))
  const columns = left.columns.map((column, index) => ({ ...column, relation: '', type: types[index] ?? column.type }))
  const converted = (relation: Relation) => {
    const changes = relation.columns.map(({ type }, index) => {
      let value: Value = null
      const expression = coerce(compiler, { type, run: () => value }, types[index] ?? type)
      return (given: Value, frame: Frame) => {
        value = given
        return expression.run(frame)
      }
    })
    return (frame: Frame) =>
      relation.rows(frame).map(row => changes.map((change, index) => change(row[index] ?? null, frame)))
  }
  const [leftRows, rightRows] = [converted(left), converted(right)]
  const rows = (frame: Frame) => {
    const inner = { row: [], outer: frame, run: frame.run }
    const [a, b] = [leftRows(inner), rightRows(inner)]
    frame.run.spend(a.length + b.length)
    const same = (row: Row) => row
    if (op === 'SETOP_UNION') return all ? [...a, ...b] : distinctRows([...a, ...b], same)
    if (all) throw notSupported('INTERSECT ALL and EXCEPT ALL')
    const keys = new Set(distinctRows(b, same).map(row => JSON.stringify(row)))
    const wanted = op === 'SETOP_INTERSECT'
    return distinctRows(a, same).filter(row => keys.has(JSON.stringify(row)) === wanted)
  }
  return orderOutput(compiler, statement, scope, { columns, rows, constant: !scope.correlated })
}

function compileValues(compiler: Compiler, statement: SelectStmt, scope: Scope): Relation {
  const compile = expressionCompiler(compiler, scope)
  const lists = (statement.valuesLists ?? []).map(list => ('List' in list ? (list.List.items ?? []).map(compile) : []))
  const [first = []] = lists
  if (lists.some(list => list.length !== first.length)) {
    throw new CatalogError('42601', 'VALUES lists must all be the same length')
  }
  const types = first.map((_, index) =>
    lists.reduce((type, list) => commonType(type, list[index]?.type ?? type, 'VALUES'), 'unknown'),
  )
  const typed = lists.map(list =>
    list.map((value, index) => settle(compiler, coerce(compiler, value, types[index] ?? 'unknown'))),
  )
  const columns: ScopeColumn[] = (typed[0] ?? []).map(({ type }, index) => ({
    relation: '',
    name: `column${index + 1}`,
    type,
  }))
  const rows = (frame: Frame) => {
    const inner = { row: [], outer: frame, run: frame.run }
    return typed.map(list => list.map(({ run }) => run(inner)))
  }
  return orderOutput(compiler, statement, scope, { columns, rows, constant: !scope.correlated })
}

/** ORDER BY, LIMIT and OFFSET over rows that have only the columns of the output. */
function orderOutput(compiler: Compiler, statement: SelectStmt, scope: Scope, relation: Relation): Relation {
  const output = createScope(scope)
  output.columns.push(...relation.columns)
  const keys = sortKeys(
    statement.sortClause,
    expressionCompiler(compiler, output),
    relation.columns.map(({ name, type }, index) => ({ name, type, run: ({ row }) => row[index] ?? null })),
  )
  const cut = limits(compiler, statement, scope)
  return {
    ...relation,
    rows: frame => {
      const outer = { row: [], outer: frame, run: frame.run }
      const frames = relation.rows(frame).map(row => ({ row, outer, run: frame.run }))
      return cut(
        sortFrames(frames, keys).map(({ row }) => row),
        frame,
      )
    },
  }
}

function compilePlain(compiler: Compiler, statement: SelectStmt, scope: Scope): Relation {
  const produce = compileFrom(compiler, scope, statement.fromClause ?? [], statement.whereClause)
  const [aggregates, windows, setFunctions]: [Aggregate[], WindowValue[], SetFunction[]] = [[], [], []]
  const compile = expressionCompiler(compiler, scope, { aggregates, windows, setFunctions })
  scope.used = new Set()
  const targets = compileTargets(compile, statement.targetList ?? [])
  const having = statement.havingClause && coerce(compiler, compile(statement.havingClause), 'bool')
  const order = sortKeys(statement.sortClause, compile, targets)
  const distinctOn = (statement.distinctClause ?? [])
    .filter(node => Object.keys(node).length > 0)
    .map(node => outputOr(node, compile, targets))
  const readOutside = scope.used
  const grouping = (statement.groupClause ?? []).map(node => {
    scope.used = new Set()
    return { ...outputOr(node, expressionCompiler(compiler, scope), targets), used: scope.used }
  })
  const isGrouped = grouping.length > 0 || aggregates.length > 0 || having !== undefined
  if (isGrouped) checkGrouping(scope, readOutside, grouping)
  placeBehind(placeBehind(placeBehind(scope.columns.length, aggregates), windows), setFunctions)
  const width = scope.columns.length
  const cut = limits(compiler, statement, scope)
  const distinct = statement.distinctClause !== undefined

  const rows = (around: Frame): readonly Row[] => {
    const base: Frame = { row: [], outer: around, run: around.run }
    let frames: readonly Frame[] = produce(base).map(row => ({ ...base, row }))
    if (isGrouped) frames = grouped(frames, base)
    if (having) frames = frames.filter(frame => having.run(frame) === true)
    frames = withWindows(frames)
    frames = withSetFunctions(frames)
    const output = sortFrames(frames, order).map(frame => ({ frame, row: targets.map(({ run }) => run(frame)) }))
    around.run.spend(output.length)
    const kept = !distinct
      ? output
      : distinctOn.length > 0
        ? distinctRows(output, ({ frame }) => distinctOn.map(({ run }) => run(frame)))
        : distinctRows(output, ({ row }) => row)
    return cut(
      kept.map(({ row }) => row),
      around,
    )
  }
  const columns = targets.map(({ name, type, row }): ScopeColumn => ({ relation: '', name, type, row }))
  return { columns, rows, constant: !scope.correlated }

  function grouped(frames: readonly Frame[], base: Frame): readonly Frame[] {
    const groups = grouping.length === 0 ? [frames] : groupFrames(frames, grouping)
    return groups.map(group => {
      const [first = { ...base, row: new Array<null>(width).fill(null) }] = group
      return append(
        first,
        aggregates.map(aggregate => aggregate.compute(group)),
      )
    })
  }
  function withWindows(frames: readonly Frame[]): readonly Frame[] {
    if (windows.length === 0) return frames
    const values = windows.map(window => window.compute(frames))
    return frames.map((frame, index) =>
      append(
        frame,
        values.map(list => list[index] ?? null),
      ),
    )
  }
  function withSetFunctions(frames: readonly Frame[]): readonly Frame[] {
    if (setFunctions.length === 0) return frames
    return frames.flatMap(frame => {
      const lists = setFunctions.map(each => each.compute(frame))
      const count = Math.max(0, ...lists.map(list => list.length))
      frame.run.spend(count)
      return Array.from({ length: count }, (_, index) =>
        append(
          frame,
          lists.map(list => list[index] ?? null),
        ),
      )
    })
  }
}

/** A column of the output by its name or its number, else an expression over the columns of the input. */
function outputOr(node: Node, compile: ExpressionCompiler, targets: readonly Target[]): Expression {
  if ('A_Const' in node && node.A_Const.ival) {
    const target = targets[(node.A_Const.ival.ival ?? 0) - 1]
    if (!target) throw new CatalogError('42P10', `position ${node.A_Const.ival.ival ?? 0} is not in select list`)
    return target
  }
  const fields = 'ColumnRef' in node ? (node.ColumnRef.fields ?? []) : []
  const [field] = fields
  const name = fields.length === 1 && field && 'String' in field ? field.String.sval : undefined
  const target = name === undefined ? undefined : targets.find(each => each.name === name)
  return target ?? settle(compile.compiler, compile(node))
}

function sortKeys(
  nodes: readonly Node[] | undefined,
  compile: ExpressionCompiler,
  targets: readonly Target[],
): SortKey[] {
  return (nodes ?? []).map(node => {
    if (!('SortBy' in node) || !node.SortBy.node) throw notSupported('this kind of ORDER BY')
    const { node: key, sortby_dir, sortby_nulls, useOp } = node.SortBy
    if (useOp) throw notSupported('ORDER BY USING')
    const descending = sortby_dir === 'SORTBY_DESC'
    const nullsFirst = sortby_nulls === 'SORTBY_NULLS_FIRST' || (descending && sortby_nulls !== 'SORTBY_NULLS_LAST')
    return { run: outputOr(key, compile, targets).run, descending, nullsFirst }
  })
}

function limits(compiler: Compiler, { limitCount, limitOffset, limitOption }: SelectStmt, scope: Scope) {
  if (limitOption === 'LIMIT_OPTION_WITH_TIES') throw notSupported('WITH TIES')
  const bound = (node: Node | undefined) => node && coerce(compiler, expressionCompiler(compiler, scope)(node), 'int8')
  const [count, offset] = [bound(limitCount), bound(limitOffset)]
  return (rows: readonly Row[], frame: Frame): readonly Row[] => {
    if (!count && !offset) return rows
    const inner = { row: [], outer: frame, run: frame.run }
    const number = (expression: Expression | undefined) => {
      const value = expression?.run(inner) ?? null
      if (typeof value === 'number' && value < 0)
        throw new CatalogError('2201W', 'LIMIT and OFFSET must not be negative')
      return typeof value === 'number' ? value : undefined
    }
    const from = number(offset) ?? 0
    const most = number(count)
    return rows.slice(from, most === undefined ? undefined : from + most)
  }
}
