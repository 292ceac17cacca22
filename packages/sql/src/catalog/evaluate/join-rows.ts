import { keyOf, type Value } from '../values/value.ts'
import type { Frame, Run } from './run.ts'

export type Row = readonly Value[]
export type JoinType = 'inner' | 'left' | 'right' | 'full'

/** An equality that finds the rows of a step instead of trying all. */
export interface JoinKey {
  /** Computed from what is joined already. */
  readonly left: (frame: Frame) => Value
  /** Computed from a row of the step. */
  readonly right: (frame: Frame) => Value
  /** Whether `right` reads nothing of the levels around, so that an index by it can be used again. */
  readonly isOwn: boolean
}

/** One relation that is joined to those before it. */
export interface JoinStep {
  readonly type: JoinType
  /** Columns before it and up to its end. */
  readonly start: number
  readonly end: number
  /** @param frame whose row is what is joined already. */
  readonly source: (frame: Frame) => readonly Row[]
  /** Whether the source depends on what is joined already. */
  readonly lateral: boolean
  readonly keys: readonly JoinKey[]
  /** Conditions of the join. */
  readonly on: readonly ((frame: Frame) => Value)[]
  /** Conditions on the joined rows. */
  readonly where: readonly ((frame: Frame) => Value)[]
}

/**
 * Joins one relation after the other. Each has its own places in the row, in whatever order they are joined.
 *
 * @param first the places before the first relation.
 * @param width of the whole row.
 */
export function joinRows(steps: readonly JoinStep[], frame: Frame, first: Row, width: number): readonly Row[] {
  const empty = [...first, ...nulls(width - first.length)]
  let rows: readonly Row[] = [empty]
  for (const step of steps) rows = joinStep(step, rows, frame, empty)
  return rows
}

function joinStep(step: JoinStep, rows: readonly Row[], { outer, run }: Frame, empty: Row): readonly Row[] {
  const { type, start, keys, lateral } = step
  const frameOf = (row: Row): Frame => ({ row, outer, run })
  const holds = (conditions: readonly ((frame: Frame) => Value)[], row: Row) => {
    const frame = frameOf(row)
    return conditions.every(condition => condition(frame) === true)
  }
  const placed = (row: Row, values: Row): Row => {
    const copy = row.slice()
    for (const [index, value] of values.entries()) copy[start + index] = value
    // A row takes memory by its width.
    run.spend(copy.length + 8)
    return copy
  }
  const result: Row[] = []
  const keep = (row: Row) => {
    if (holds(step.where, row)) result.push(row)
  }
  const matched = type === 'right' || type === 'full' ? new Set<Row>() : undefined
  const all = lateral || (rows.length === 0 && !matched) ? [] : step.source(frameOf(rows[0] ?? empty))
  const find = lateral || keys.length === 0 ? undefined : findByKey(step, all, frameOf, run)
  for (const left of rows) {
    const candidates = find?.(frameOf(left)) ?? (lateral ? step.source(frameOf(left)) : all)
    run.spend(candidates.length + 1)
    let found = false
    for (const right of candidates) {
      const row = placed(left, right)
      if (!holds(step.on, row)) continue
      found = true
      matched?.add(right)
      keep(row)
    }
    if (!found && (type === 'left' || type === 'full')) keep(left)
  }
  if (matched) for (const right of all) if (!matched.has(right)) keep(placed(empty, right))
  return result
}

const nulls = (count: number): null[] => new Array<null>(count).fill(null)

type Index = Map<string | number | boolean | null, Row[]>

/** The rows of a step by its keys. A subquery that runs for each row around goes on with the index of its first run. */
function findByKey(step: JoinStep, all: readonly Row[], frameOf: (row: Row) => Frame, run: Run) {
  const { keys } = step
  const keyOfAll = (frame: Frame, side: 'left' | 'right') => {
    const [only] = keys
    if (keys.length === 1 && only) return keyOf(only[side](frame))
    const parts = keys.map(key => keyOf(key[side](frame)))
    return parts.includes(null) ? null : JSON.stringify(parts)
  }
  const kept = run.indexes.get(step)
  let index = kept?.all === all ? kept.index : undefined
  if (!index) {
    index = indexRows(step, all, frame => keyOfAll(frameOf(frame), 'right'))
    run.spend(all.length)
    if (keys.every(({ isOwn }) => isOwn)) run.indexes.set(step, { all, index })
  }
  const found = index
  const none: readonly Row[] = []
  return (frame: Frame): readonly Row[] => found.get(keyOfAll(frame, 'left') ?? null) ?? none
}

function indexRows({ start }: JoinStep, all: readonly Row[], keyOfRow: (row: Row) => ReturnType<typeof keyOf>): Index {
  const before = nulls(start)
  const index: Index = new Map()
  for (const row of all) {
    const key = keyOfRow([...before, ...row])
    if (key === null) continue
    const known = index.get(key)
    if (known) known.push(row)
    else index.set(key, [row])
  }
  return index
}
