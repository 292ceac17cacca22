import type { SecuredIndex } from '../../access/secured-index.ts'
import { queryError } from '../../messages/query-messages.ts'
import type { MeasureMember } from '../../resolve/model-index.ts'
import type { CalendarShift, TimeShift } from '../../shapes/model.ts'
import type { JoinKey } from '../calendar-keys.ts'
import { filterMembers } from '../row-conditions.ts'
import { memberId } from './planning.ts'
import type { Shift, State } from './state.ts'

/** A measure's shift in a state, where calendars have a say in it. */
export function shiftsOf(
  index: SecuredIndex,
  member: MeasureMember,
  { dimension, by, name }: TimeShift,
  state: State,
): readonly Shift[] {
  const targets = dimension === null ? timesOf(index, state) : [dimension]
  if (name === null) {
    const keys = targets.flatMap(id => {
      const own = calendarShifts(index, id).find(shift => shift.name === null && isSame(shift.by, by))
      return keyOf(index, id, own) ?? []
    })
    return [{ dimension, by, keys: distinct(keys) }]
  }
  const measure = memberId(member)
  if (targets.length === 0) throw queryError('time_shift_name', { measure, name, dimension: null })
  const named = targets.map(id => {
    const shift = calendarShifts(index, id).find(known => known.name === name)
    if (!shift) throw queryError('time_shift_name', { measure, name, dimension: id })
    return { id, shift }
  })
  const keys = distinct(named.flatMap(({ id, shift }) => keyOf(index, id, shift) ?? []))
  const intervals = named.flatMap(({ id, shift }): Shift[] =>
    shift.by ? [{ dimension: id, by: shift.by, keys: [] }] : [],
  )
  return keys.length > 0 ? [{ dimension: null, by: null, keys }, ...intervals] : intervals
}

/** The key that a calendar gives for a day depends on the day, so nothing else can shift that calendar too. */
export function checkShifts(member: MeasureMember, shifts: readonly Shift[]): void {
  const keys = shifts.flatMap(shift => shift.keys.map(key => ({ key, shift })))
  for (const { key, shift } of keys) {
    const isKeyedTwice = keys.some(other => other.key !== key && other.key.cube === key.cube)
    const isMoved = shifts.some(
      ({ by, dimension }, position) =>
        shifts[position] !== shift && by !== null && (dimension === null || dimension.startsWith(`${key.cube}.`)),
    )
    if (isKeyedTwice || isMoved) {
      throw queryError('calendar_shifts', { measure: memberId(member), calendar: key.cube })
    }
  }
}

/** The time dimensions that a state looks at, as `cube.dimension`. */
function timesOf(index: SecuredIndex, { grain, ranges, rowFilters }: State): string[] {
  const members = [...grain, ...ranges].map(({ member }) => member)
  const filtered = rowFilters.flatMap(filter => filterMembers(index, filter))
  const times = [...members, ...filtered].filter(
    ({ definition }) => definition.kind === 'dimension' && definition.type === 'time',
  )
  return [...new Set(times.map(({ cube, definition }) => `${cube.name}.${definition.name}`))]
}

const cubeOf = (id: string) => id.slice(0, id.indexOf('.'))

function calendarShifts(index: SecuredIndex, id: string): readonly CalendarShift[] {
  const found = index.member(cubeOf(id), id.slice(id.indexOf('.') + 1))
  return found.kind === 'dimension' ? found.timeShifts : []
}

function keyOf(index: SecuredIndex, id: string, shift: CalendarShift | undefined): JoinKey | null {
  const cube = cubeOf(id)
  const { primaryKey } = index.cube(cube)
  // Of several keys, such as a shop and its day, the time itself is the one that moves.
  const dimension = primaryKey.find(name => id === `${cube}.${name}`) ?? primaryKey[0]
  return shift?.sql && dimension !== undefined ? { cube, dimension, sql: shift.sql } : null
}

const isSame = (left: TimeShift['by'], right: TimeShift['by']) =>
  left?.months === right?.months && left?.milliseconds === right?.milliseconds

/** Two dimensions of a calendar may be shifted by the same key. */
const distinct = (keys: readonly JoinKey[]) => [...new Map(keys.map(key => [JSON.stringify(key), key])).values()]
