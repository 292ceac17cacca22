import type { Bound } from '../shapes/bound.ts'
import { type Piece, typeName, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'

/** A unit of time travels as text of ours, not as a value: databases choose the function by it. */
const units = new Set([
  ...['microseconds', 'milliseconds', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  ...['decade', 'century', 'millennium', 'dow', 'isodow', 'doy', 'epoch', 'isoyear'],
])

/** @throws {Unprintable} for what is no constant, or no unit */
export function unitOf(value: Bound | undefined): string {
  const written = value?.kind === 'constant' ? value.value?.toLowerCase() : undefined
  const unit = [written, written?.replace(/s$/, '')].find(name => name !== undefined && units.has(name))
  if (unit === undefined) throw new Unprintable('This unit of time', value?.at ?? -1)
  return unit
}

/** A date becomes its first moment. */
export const asTimestamp = (printing: Printing, time: Bound): Piece[] =>
  time.type === 'date'
    ? ['CAST(', ...printing.value(time), ` AS ${typeName(printing.dialect, 'timestamp', time.at)})`]
    : printing.value(time)
