import type { Node } from 'libpg-query'
import { unsupported } from '../messages/sql-error.ts'
import type { SortKey } from '../shapes/tree.ts'
import { kindOf, type Reading, required } from './read.ts'

export function readSortKeys(reading: Reading, nodes: readonly Node[] | undefined): SortKey[] {
  return (nodes ?? []).map(node => {
    if (!('SortBy' in node)) throw unsupported(kindOf(node), -1)
    const { node: value, sortby_dir: direction, sortby_nulls: nulls, location } = node.SortBy
    if (direction === 'SORTBY_USING') throw unsupported('ORDER BY ... USING', reading.at(location))
    const descending = direction === 'SORTBY_DESC'
    const nullsFirst = nulls === 'SORTBY_NULLS_FIRST' || (nulls !== 'SORTBY_NULLS_LAST' && descending)
    return { value: required(reading, value, reading.at(location)), descending, nullsFirst }
  })
}
