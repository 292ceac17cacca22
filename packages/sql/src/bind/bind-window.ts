import { SqlError } from '../messages/sql-error.ts'
import type { BoundFrameEnd, BoundWindow } from '../shapes/bound.ts'
import type { Bound, Window } from '../shapes/tree.ts'
import { type Binding, sortKeys } from './binding.ts'
import type { Scope } from './scope.ts'

/** A window, with what the one that it names has. */
export function bindWindow(binding: Binding, window: Window, scope: Scope, at: number): BoundWindow {
  const named = window.name === null ? null : scope.windows.get(window.name)
  if (named === undefined) throw new SqlError('42704', `window "${window.name}" does not exist`, at)
  const partition = window.partition.length > 0 ? window.partition : (named?.partition ?? [])
  const order = window.order.length > 0 ? window.order : (named?.order ?? [])
  const frame = window.frame ?? named?.frame ?? null
  const end = (bound: Bound): BoundFrameEnd =>
    'offset' in bound ? { kind: bound.kind, offset: binding.expression(bound.offset, scope) } : bound
  return {
    partition: partition.map(value => binding.expression(value, scope)),
    order: sortKeys(binding, order, scope),
    frame: frame && { unit: frame.unit, start: end(frame.start), end: end(frame.end) },
  }
}
