import type { GroupingSet, Node } from 'libpg-query'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Expression, Select } from '../shapes/tree.ts'
import { deeper, kindOf, type Reading } from './read.ts'

/** Each is a query of the model of its own. */
const mostSets = 64

type Sets = readonly (readonly Expression[])[]

/**
 * Reads GROUP BY: what stands beside each other multiplies, so that `a, ROLLUP (b)` is `(a, b), (a)`.
 *
 * @throws {SqlError} 54001 for too many sets
 */
export function readGrouping(
  reading: Reading,
  clause: readonly Node[],
  isDistinct: boolean,
): Pick<Select, 'groupBy' | 'groupingSets'> {
  if (!clause.some(node => 'GroupingSet' in node)) {
    return { groupBy: clause.flatMap(node => together(reading, node)), groupingSets: null }
  }
  const sets = clause.reduce<Sets>(
    (before, node) => {
      const own = setsOf(reading, node)
      checkCount(before.length * own.length, placeOf(reading, node))
      return before.flatMap(left => own.map(right => [...left, ...right]))
    },
    [[]],
  )
  return { groupBy: [], groupingSets: { sets, isDistinct } }
}

function setsOf(reading: Reading, node: Node): Sets {
  if (!('GroupingSet' in node)) return [together(reading, node)]
  return deeper(reading, () => setsOfGrouping(reading, node.GroupingSet))
}

function setsOfGrouping(reading: Reading, { kind = 'GROUPING_SET_EMPTY', content = [], location }: GroupingSet): Sets {
  const at = reading.at(location)
  if (kind === 'GROUPING_SET_EMPTY') return [[]]
  if (kind === 'GROUPING_SET_SETS') {
    const sets = content.flatMap(node => setsOf(reading, node))
    checkCount(sets.length, at)
    return sets
  }
  if (kind !== 'GROUPING_SET_ROLLUP' && kind !== 'GROUPING_SET_CUBE') throw unsupported(`The grouping ${kind}`, at)
  const isCube = kind === 'GROUPING_SET_CUBE'
  checkCount(isCube ? 2 ** content.length : content.length + 1, at)
  const items = content.map(node => together(reading, node))
  if (isCube) return items.reduce<Sets>((sets, item) => sets.flatMap(set => [[...set, ...item], set]), [[]])
  return Array.from({ length: items.length + 1 }, (_, left) => items.slice(0, items.length - left).flat())
}

/** `(a, b)` is both at once. */
function together(reading: Reading, node: Node): readonly Expression[] {
  if ('GroupingSet' in node) throw unsupported(`A ${kindOf(node)} here`, placeOf(reading, node))
  if ('RowExpr' in node && node.RowExpr.row_format === 'COERCE_IMPLICIT_CAST') {
    return (node.RowExpr.args ?? []).flatMap(inner => together(reading, inner))
  }
  return [reading.expression(node)]
}

function checkCount(count: number, at: number): void {
  if (count > mostSets) {
    const hint = 'Write fewer columns in CUBE or ROLLUP, or name the sets by GROUPING SETS'
    throw new SqlError('54001', `too many grouping sets present (maximum ${mostSets})`, at, hint)
  }
}

const placeOf = (reading: Reading, node: Node): number =>
  'GroupingSet' in node ? reading.at(node.GroupingSet.location) : -1
