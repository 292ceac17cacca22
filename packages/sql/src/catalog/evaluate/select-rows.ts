import { compareValues, keyOfRow, type Value } from '../values/value.ts'
import type { Appended, Expression } from './expression.ts'
import type { Row } from './join-rows.ts'
import type { Frame } from './run.ts'

/** By what rows are ordered. */
export interface SortKey {
  readonly run: Expression['run']
  readonly descending: boolean
  readonly nullsFirst: boolean
}

export function compareBy(keys: readonly SortKey[]) {
  return (left: readonly Value[], right: readonly Value[]): number => {
    for (const [index, { descending, nullsFirst }] of keys.entries()) {
      const [a, b] = [left[index] ?? null, right[index] ?? null]
      if (a === null && b === null) continue
      if (a === null || b === null) return (a === null) === nullsFirst ? -1 : 1
      const order = compareValues(a, b)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

/** Frames in the order of their keys; equal ones stay as they are. */
export function sortFrames(frames: readonly Frame[], keys: readonly SortKey[]): readonly Frame[] {
  if (keys.length === 0) return frames
  frames[0]?.run.spend(frames.length * 4)
  const compare = compareBy(keys)
  return frames
    .map(frame => ({ frame, values: keys.map(key => key.run(frame)) }))
    .sort((a, b) => compare(a.values, b.values))
    .map(({ frame }) => frame)
}

/** Rows of each group in the order in which the groups came up. */
export function groupFrames(frames: readonly Frame[], keys: readonly Expression[]): readonly (readonly Frame[])[] {
  const groups = new Map<string, Frame[]>()
  for (const frame of frames) {
    const key = keyOfRow(keys.map(({ run }) => run(frame)))
    const group = groups.get(key)
    if (group) group.push(frame)
    else groups.set(key, [frame])
  }
  return [...groups.values()]
}

/** The frame with values behind its row. */
export function append(frame: Frame, values: Row): Frame {
  return { ...frame, row: [...frame.row, ...values] }
}

/** Gives appended values the places behind the row, in order. @returns the first place after them. */
export function placeBehind(from: number, values: readonly Appended[]): number {
  values.forEach((value, index) => {
    value.index = from + index
  })
  return from + values.length
}

export function distinctRows<T>(items: readonly T[], valuesOf: (item: T) => readonly Value[]): T[] {
  const seen = new Set<string>()
  return items.filter(item => {
    const key = keyOfRow(valuesOf(item))
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
