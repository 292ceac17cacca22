import type { Node, WindowDef } from 'libpg-query'
import { SqlError } from '../messages/sql-error.ts'
import type { Bound, Frame, Window } from '../shapes/tree.ts'
import { type Reading, readExpressions } from './read.ts'
import { readSortKeys } from './read-sort-keys.ts'

/** Bits of `frameOptions` (PostgreSQL, nodes/parsenodes.h). */
const bits = {
  nonDefault: 0x1,
  range: 0x2,
  rows: 0x4,
  groups: 0x8,
  startUnboundedPreceding: 0x20,
  endUnboundedPreceding: 0x40,
  startUnboundedFollowing: 0x80,
  endUnboundedFollowing: 0x100,
  startCurrentRow: 0x200,
  endCurrentRow: 0x400,
  startPreceding: 0x800,
  endPreceding: 0x1000,
  startFollowing: 0x2000,
  endFollowing: 0x4000,
  exclude: 0x38000,
} as const

export function readWindow(reading: Reading, window: WindowDef, at: number): Window {
  const { name, refname, partitionClause, orderClause } = window
  return {
    name: refname ?? (partitionClause || orderClause ? null : (name ?? null)),
    partition: readExpressions(reading, partitionClause),
    order: readSortKeys(reading, orderClause),
    frame: readFrame(reading, window, at),
  }
}

function readFrame(
  reading: Reading,
  { frameOptions = 0, startOffset, endOffset }: WindowDef,
  at: number,
): Frame | null {
  const has = (bit: number) => (frameOptions & bit) !== 0
  if (!has(bits.nonDefault)) return null
  if (has(bits.exclude)) throw new SqlError('0A000', 'EXCLUDE of a window frame is not supported', at)
  const offset = (node: Node | undefined) => {
    if (!node) throw new SqlError('42601', 'A window frame has no offset', at)
    return reading.expression(node)
  }
  const start: Bound = has(bits.startUnboundedPreceding)
    ? { kind: 'unboundedPreceding' }
    : has(bits.startPreceding)
      ? { kind: 'preceding', offset: offset(startOffset) }
      : has(bits.startFollowing)
        ? { kind: 'following', offset: offset(startOffset) }
        : { kind: has(bits.startUnboundedFollowing) ? 'unboundedFollowing' : 'currentRow' }
  const end: Bound = has(bits.endUnboundedFollowing)
    ? { kind: 'unboundedFollowing' }
    : has(bits.endPreceding)
      ? { kind: 'preceding', offset: offset(endOffset) }
      : has(bits.endFollowing)
        ? { kind: 'following', offset: offset(endOffset) }
        : { kind: has(bits.endUnboundedPreceding) ? 'unboundedPreceding' : 'currentRow' }
  return { unit: has(bits.rows) ? 'rows' : has(bits.groups) ? 'groups' : 'range', start, end }
}
