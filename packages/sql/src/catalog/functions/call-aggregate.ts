import type { FuncCall, Node } from 'libpg-query'
import { CatalogError } from '../catalog-error.ts'
import { coerce, settle } from '../evaluate/coerce.ts'
import type { Aggregate, Expression, ExpressionCompiler } from '../evaluate/expression.ts'
import type { Frame } from '../evaluate/run.ts'
import { compareBy, type SortKey } from '../evaluate/select-rows.ts'
import { arrayOf } from '../values/types.ts'
import { aggregates, arrayAggregate, distinctValues } from './aggregates.ts'

/** Understands an aggregate: it is computed for each group, and its value stands behind the group's row. */
export function callAggregate(compile: ExpressionCompiler, name: string, node: FuncCall): Expression {
  const { collectors, scope, compiler } = compile
  if (!collectors.aggregates) throw new CatalogError('42803', 'aggregate functions are not allowed here', node.location)
  const plain = compile.plain()
  // What an aggregate reads need not be grouped by.
  const outside = scope.used
  scope.used = new Set()
  const parts = (node.args ?? []).map(each => settle(compiler, plain(each)))
  const order = (node.agg_order ?? []).map(each => sortKey(plain, each))
  const filter = node.agg_filter && coerce(compiler, plain(node.agg_filter), 'bool')
  scope.used = outside
  const [first] = parts
  if (!first && !node.agg_star) throw new CatalogError('42883', `function ${name}() does not exist`, node.location)
  const type = first?.type ?? 'int8'
  const definition = aggregates.get(name) ?? { gives: arrayOf, compute: arrayAggregate }
  const compare = compareBy(order)
  const aggregate: Aggregate = {
    index: -1,
    compute(frames) {
      frames[0]?.run.spend(frames.length * 2)
      const kept = filter ? frames.filter(frame => filter.run(frame) === true) : frames
      const sorted =
        order.length === 0
          ? kept
          : kept
              .map(frame => ({ frame, keys: order.map(key => key.run(frame)) }))
              .sort((a, b) => compare(a.keys, b.keys))
              .map(({ frame }) => frame)
      const values = sorted.map(frame => (node.agg_star ? [true] : parts.map(({ run }) => run(frame))))
      return definition.compute(node.agg_distinct ? distinctValues(values) : values)
    },
  }
  collectors.aggregates.push(aggregate)
  return { type: definition.gives(type), name, run: (frame: Frame) => frame.row[aggregate.index] ?? null }
}

export function sortKey(compile: ExpressionCompiler, node: Node): SortKey {
  if (!('SortBy' in node)) throw new CatalogError('42601', 'an order is missing')
  const { sortby_dir, sortby_nulls } = node.SortBy
  const descending = sortby_dir === 'SORTBY_DESC'
  const nullsFirst = sortby_nulls === 'SORTBY_NULLS_FIRST' || (descending && sortby_nulls !== 'SORTBY_NULLS_LAST')
  return { run: settle(compile.compiler, compile(node.SortBy.node)).run, descending, nullsFirst }
}
