import type { JoinExpr, Node, RangeFunction, RangeVar } from 'libpg-query'
import { CatalogError, notSupported } from '../catalog-error.ts'
import { rowsOfFunction } from '../functions/rows-of-function.ts'
import { coerce } from './coerce.ts'
import { expressionCompiler } from './compile-expression.ts'
import { type Compiler, type Expression, namesOf } from './expression.ts'
import { type JoinKey, type JoinStep, type JoinType, joinRows, type Row } from './join-rows.ts'
import { binary, unify } from './operators.ts'
import { type Frame, once } from './run.ts'
import type { Relation, Scope, ScopeColumn } from './scope.ts'

/** A condition with the columns of this level that it reads. */
interface Condition {
  readonly run: Expression['run']
  readonly used: ReadonlySet<number>
  /** The sides, where it is an equality. */
  readonly sides: readonly Side[]
}

/** One side of an equality. */
interface Side extends Pick<Condition, 'run' | 'used'> {
  /** Whether it reads nothing of the levels around. */
  readonly isOwn: boolean
}

type OpenStep = Pick<JoinStep, 'type' | 'start' | 'end' | 'source' | 'lateral'> & { readonly on: readonly Condition[] }

/**
 * Understands FROM and WHERE: relations are joined in the order in which they are written, each condition as soon as what it reads is
 * there, equalities by index.
 *
 * @returns rows of all columns of the scope.
 */
export function compileFrom(
  compiler: Compiler,
  scope: Scope,
  from: readonly Node[],
  where: Node | undefined,
): (frame: Frame) => readonly Row[] {
  const steps: OpenStep[] = []
  for (const item of from) addItem(item, 'inner', undefined, scope.columns.length)
  const conditions = conjuncts(where).map(condition)
  return finish(steps, conditions)

  /** @param from the first column that the condition of `join` sees. */
  function addItem(item: Node, type: JoinType, join: JoinExpr | undefined, from: number): void {
    if ('JoinExpr' in item) {
      // What stands on the right side of another join, or keeps rows of its own right side, is joined for itself.
      const alone = join !== undefined || (scope.columns.length > 0 && keepsRight(item))
      if (alone) addUnit(item.JoinExpr, type, join, from)
      else addJoin(item.JoinExpr)
      return
    }
    const { relation, lateral } = compileItem(item)
    addStep(type, relation.columns, frame => relation.rows(frame), lateral, join, from)
  }

  function addStep(
    type: JoinType,
    columns: readonly ScopeColumn[],
    source: JoinStep['source'],
    lateral: boolean,
    join: JoinExpr | undefined,
    from: number,
  ): void {
    const start = scope.columns.length
    scope.columns.push(...columns)
    const on = join ? joinConditions(join, from, start) : []
    steps.push({ type, start, end: scope.columns.length, source, lateral, on })
  }

  function addJoin(join: JoinExpr): void {
    const { larg, rarg, jointype = 'JOIN_INNER' } = join
    if (!larg || !rarg) throw new CatalogError('42601', 'a join without sides')
    if (join.alias) throw notSupported('an alias of a join')
    const type = joinTypes[jointype]
    if (!type) throw notSupported('this kind of join')
    const begin = scope.columns.length
    addItem(larg, 'inner', undefined, begin)
    addItem(rarg, type, join, begin)
  }

  function addUnit(unit: JoinExpr, type: JoinType, join: JoinExpr | undefined, from: number): void {
    const start = scope.columns.length
    const around = steps.splice(0)
    const before = scope.used
    scope.used = new Set()
    const { larg, rarg, jointype = 'JOIN_INNER' } = unit
    const unitType = joinTypes[jointype]
    if (!larg || !rarg || !unitType) throw notSupported('this kind of join')
    addItem(larg, 'inner', undefined, start)
    addItem(rarg, unitType, unit, start)
    const rows = finish(steps.splice(0), [])
    const lateral = [...scope.used].some(index => index < start)
    scope.used = before
    steps.push(...around)
    const columns = scope.columns.splice(start)
    const source = (frame: Frame): readonly Row[] => {
      const row = frame.row.length === start ? frame.row : new Array<null>(start).fill(null)
      return rows({ ...frame, row }).map(each => each.slice(start))
    }
    addStep(type, columns, source, lateral, join, from)
  }

  function joinConditions(
    { quals, usingClause, isNatural }: JoinExpr,
    from: number,
    start: number,
  ): readonly Condition[] {
    const shared = isNatural ? sharedNames(scope, from, start) : namesOf(usingClause)
    const using = shared.map(name => usingCondition(name, from, start))
    const seenFrom = scope.from
    scope.from = from
    const conditions = conjuncts(quals).map(condition)
    scope.from = seenFrom
    return [...using, ...conditions]
  }

  function usingCondition(name: string, from: number, start: number): Condition {
    const sideAt = (low: number, high: number) => {
      const index = scope.columns.findIndex(
        (column, at) => at >= low && at < high && column.name === name && !scope.merged.has(at),
      )
      const column = scope.columns[index]
      if (!column) throw new CatalogError('42703', `column "${name}" specified in USING clause does not exist`)
      const expression: Expression = { type: column.type, run: ({ row }) => row[index] ?? null }
      return { index, expression }
    }
    const [left, right] = [sideAt(from, start), sideAt(start, scope.columns.length)]
    scope.merged.add(right.index)
    const sides = unify(compiler, left.expression, right.expression)
    const equal = binary(compiler, '=', left.expression, right.expression)
    return {
      run: equal.run,
      used: new Set([left.index, right.index]),
      sides: [
        { run: sides.left.run, used: new Set([left.index]), isOwn: true },
        { run: sides.right.run, used: new Set([right.index]), isOwn: true },
      ],
    }
  }

  /** Relations, and whether they read what stands before them. */
  function compileItem(item: Node): { readonly relation: Relation; readonly lateral: boolean } {
    if ('RangeVar' in item) return { relation: namedRelation(compiler, scope, item.RangeVar), lateral: false }
    const before = scope.used
    scope.used = new Set()
    const seenFrom = scope.from
    // Only what is lateral sees what stands before it.
    scope.from = 'RangeSubselect' in item && !item.RangeSubselect.lateral ? scope.columns.length : 0
    const relation = compileDerived(compiler, scope, item)
    scope.from = seenFrom
    const lateral = scope.used.size > 0
    scope.used = before
    return { relation, lateral }
  }

  function condition(node: Node): Condition {
    const compile = expressionCompiler(compiler, scope)
    const track = <T>(make: () => T) => {
      const { used: before, correlated } = scope
      scope.used = new Set()
      scope.correlated = false
      const value = make()
      const { used } = scope
      const isOwn = !scope.correlated
      scope.used = new Set([...before, ...used])
      scope.correlated ||= correlated
      return { value, used, isOwn }
    }
    const isEquality = 'A_Expr' in node && node.A_Expr.kind === 'AEXPR_OP' && namesOf(node.A_Expr.name).at(-1) === '='
    if (isEquality && node.A_Expr.lexpr) {
      const { lexpr, rexpr, location } = node.A_Expr
      const [left, right] = [track(() => compile(lexpr)), track(() => compile(rexpr))]
      const sides = unify(compiler, left.value, right.value, location)
      return {
        run: binary(compiler, '=', left.value, right.value, location).run,
        used: new Set([...left.used, ...right.used]),
        sides: [
          { run: sides.left.run, used: left.used, isOwn: left.isOwn },
          { run: sides.right.run, used: right.used, isOwn: right.isOwn },
        ],
      }
    }
    const { value, used } = track(() => coerce(compiler, compile(node), 'bool'))
    return { run: value.run, used, sides: [] }
  }
}

const joinTypes: Readonly<Record<string, JoinType>> = {
  JOIN_INNER: 'inner',
  JOIN_LEFT: 'left',
  JOIN_RIGHT: 'right',
  JOIN_FULL: 'full',
}

/** Puts the steps into an order and gives each condition to the first step at which all that it reads is there. */
function finish(open: readonly OpenStep[], where: readonly Condition[]): (frame: Frame) => readonly Row[] {
  // Inner joins at the beginning may be done in any order, and their conditions are as good as those of WHERE.
  const fixedFrom = open.findIndex(({ type, lateral }) => type !== 'inner' || lateral)
  const free = fixedFrom < 0 ? open : open.slice(0, fixedFrom)
  const pool = new Set([...free.flatMap(({ on }) => on), ...where.filter(({ used }) => used.size > 0)])
  const constant = where.filter(({ used }) => used.size === 0)
  const order = [...joinOrder(free, [...pool]), ...open.slice(free.length)]
  const lastOuter = order.findLastIndex(({ type }) => type === 'right' || type === 'full')
  const there = createPlaces(order)
  const steps = order.map((step, index): JoinStep => {
    const isInner = step.type === 'inner'
    const before = there.copy()
    there.add(step)
    const mine = index < lastOuter ? [] : [...pool].filter(({ used }) => there.has(used))
    for (const condition of mine) pool.delete(condition)
    const on = [...(index < free.length ? [] : step.on), ...(isInner ? mine : [])]
    const found = on.map(condition => ({ condition, key: step.lateral ? undefined : keyOf(step, condition, before) }))
    return {
      ...step,
      keys: found.flatMap(({ key }) => key ?? []),
      on: found.flatMap(({ condition, key }) => (key ? [] : [condition.run])),
      where: isInner ? [] : mine.map(({ run }) => run),
    }
  })
  const width = open.at(-1)?.end ?? 0
  return frame => {
    if (!constant.every(({ run }) => run(frame) === true)) return []
    return joinRows(steps, frame, frame.row, width)
  }
}

type Places = ReturnType<typeof createPlaces>

/** Columns that are joined already; those of no step here are there from the beginning. */
function createPlaces(steps: readonly OpenStep[], joined: ReadonlySet<OpenStep> = new Set()) {
  const done = new Set(joined)
  const has = (used: ReadonlySet<number>) =>
    [...used].every(index => steps.every(step => done.has(step) || index < step.start || index >= step.end))
  return { has, add: (step: OpenStep) => done.add(step), copy: () => createPlaces(steps, done) }
}

/** First what a constant narrows, then what an equality finds from there. */
function joinOrder(steps: readonly OpenStep[], conditions: readonly Condition[]): readonly OpenStep[] {
  const there = createPlaces(steps)
  const left = new Set(steps)
  const order: OpenStep[] = []
  const rank = (step: OpenStep): number => {
    const found = conditions.some(condition => keyOf(step, condition, there) !== undefined)
    const narrowed = conditions.some(({ used }) => [...used].every(index => index >= step.start && index < step.end))
    return (found ? 2 : 0) + (narrowed ? 1 : 0)
  }
  while (left.size > 0) {
    const [best] = [...left].map(step => ({ step, rank: rank(step) })).sort((a, b) => b.rank - a.rank)
    if (!best) break
    left.delete(best.step)
    there.add(best.step)
    order.push(best.step)
  }
  return order
}

/** An equality between a row of the step and what was joined before it. */
function keyOf({ start, end }: OpenStep, { sides }: Condition, before: Places): JoinKey | undefined {
  const [first, second] = sides
  if (!first || !second) return undefined
  const inStep = ({ used }: Pick<Condition, 'used'>) =>
    used.size > 0 && [...used].every(index => index >= start && index < end)
  if (inStep(first) && before.has(second.used)) return { left: second.run, right: first.run, isOwn: first.isOwn }
  if (inStep(second) && before.has(first.used)) return { left: first.run, right: second.run, isOwn: second.isOwn }
  return undefined
}

const keepsRight = (item: Node): boolean =>
  'JoinExpr' in item &&
  (item.JoinExpr.jointype === 'JOIN_RIGHT' ||
    item.JoinExpr.jointype === 'JOIN_FULL' ||
    (item.JoinExpr.larg !== undefined && keepsRight(item.JoinExpr.larg)))

/** The parts of a condition that must all hold. */
function conjuncts(node: Node | undefined): readonly Node[] {
  if (!node) return []
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR') return (node.BoolExpr.args ?? []).flatMap(conjuncts)
  return [node]
}

function sharedNames({ columns, merged }: Scope, from: number, start: number): string[] {
  const left = new Set(
    columns
      .slice(from, start)
      .filter((_, index) => !merged.has(from + index))
      .map(({ name }) => name),
  )
  return columns
    .slice(start)
    .map(({ name }) => name)
    .filter(name => left.has(name))
}

function namedRelation(
  { view }: Compiler,
  scope: Scope,
  { schemaname, relname = '', alias, location }: RangeVar,
): Relation {
  for (let level: Scope | null = schemaname === undefined ? scope : null; level; level = level.outer) {
    const cte = level.ctes.get(relname)
    if (cte && !cte.constant && level !== scope) throw notSupported('a WITH query that reads the row around it')
    if (cte) return renamed(cte, alias?.aliasname ?? relname, namesOf(alias?.colnames))
  }
  const table = view.table(schemaname ?? null, relname)
  if (!table) {
    const full = schemaname === undefined ? relname : `${schemaname}.${relname}`
    throw new CatalogError('42P01', `relation "${full}" does not exist`, location)
  }
  const columns = table.columns.map(column => ({ ...column, relation: relname }))
  const relation: Relation = { columns, rows: ({ run }) => table.rows(run.spend), constant: true }
  return renamed(relation, alias?.aliasname ?? relname, namesOf(alias?.colnames))
}

function renamed(relation: Relation, alias: string, names: readonly string[]): Relation {
  const columns = relation.columns.map((column, index) => ({
    ...column,
    relation: alias,
    name: names[index] ?? column.name,
  }))
  return { ...relation, columns }
}

function compileDerived(compiler: Compiler, scope: Scope, item: Node): Relation {
  if ('RangeSubselect' in item) {
    const { subquery, alias } = item.RangeSubselect
    if (!subquery) throw new CatalogError('42601', 'a subquery is missing')
    const relation = renamed(compiler.select(subquery, scope), alias?.aliasname ?? '', namesOf(alias?.colnames))
    const key = {}
    const rows = (frame: Frame) =>
      relation.constant ? once(frame.run, key, () => relation.rows(frame)) : relation.rows(frame)
    return { ...relation, rows }
  }
  if ('RangeFunction' in item) return functionRelation(compiler, scope, item.RangeFunction)
  throw notSupported('this kind of relation in FROM')
}

function functionRelation(compiler: Compiler, scope: Scope, node: RangeFunction): Relation {
  const calls = (node.functions ?? []).flatMap(each => ('List' in each ? (each.List.items?.[0] ?? []) : []))
  const [call] = calls
  if (!call || calls.length > 1 || node.coldeflist) throw notSupported('this use of a function in FROM')
  const made = rowsOfFunction(expressionCompiler(compiler, scope), call)
  const alias = node.alias?.aliasname ?? made.name
  const { columns } = made
  const single = columns.length === 1 && node.alias && !node.alias.colnames
  const named = columns.map(column => ({ ...column, relation: alias, name: single ? alias : column.name }))
  const ordinal: ScopeColumn[] = node.ordinality ? [{ relation: alias, name: 'ordinality', type: 'int8' }] : []
  const rows = (frame: Frame): readonly Row[] => {
    const list = made.rows(frame)
    frame.run.spend(list.length)
    return node.ordinality ? list.map((row, index) => [...row, index + 1]) : list
  }
  return renamed({ columns: [...named, ...ordinal], rows, constant: false }, alias, namesOf(node.alias?.colnames))
}
