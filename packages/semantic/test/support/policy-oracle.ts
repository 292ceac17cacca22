/**
 * Access policies evaluated on rows in memory, written from contract/behaviour/data-model.md section 8 and from nothing of src: what a
 * caller would see if his data had been filtered and masked before he asked.
 */
export type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

export interface Filter {
  readonly member: string
  readonly operator: 'equals' | 'notEquals' | 'gt' | 'set'
  readonly values?: readonly (Value | `{ userAttributes.${string} }`)[]
}
export type FilterTree = Filter | { readonly and: readonly FilterTree[] } | { readonly or: readonly FilterTree[] }

export interface Policy {
  readonly group: string
  readonly conditions?: readonly { readonly if: string }[]
  /** Of `conditions`: the least level of a caller. */
  readonly leastLevel?: number
  readonly member_level?: { readonly includes: readonly string[] }
  readonly member_masking?: { readonly includes: readonly string[] }
  readonly row_level?: { readonly filters: readonly FilterTree[] }
}

export interface Caller {
  readonly groups: readonly string[]
  readonly userAttributes: Readonly<Record<string, unknown>>
}

/** The policies of a source that are for the caller; null where the source has none at all. */
export function policiesFor(policies: readonly Policy[], caller: Caller): readonly Policy[] | null {
  if (policies.length === 0) return null
  return policies.filter(
    ({ group, leastLevel }) =>
      (group === '*' || caller.groups.includes(group)) &&
      (leastLevel === undefined || Number(caller.userAttributes.level) >= leastLevel),
  )
}

const showsWhole = (policy: Policy, member: string) => policy.member_level?.includes.includes(member) ?? true
const grants = (policy: Policy, member: string) =>
  showsWhole(policy, member) || (policy.member_masking?.includes.includes(member) ?? false)

export const isHidden = (policies: readonly Policy[] | null, member: string) =>
  policies !== null && policies.length > 0 && !policies.some(policy => grants(policy, member))

/** A row's value of a member: several for a member that stands for many rows. */
export type ValuesOf = (row: Row, member: string) => readonly Value[]

/** Whether a caller who asks for these members sees the row; without members, whether any policy lets him. */
export function seesRow(
  policies: readonly Policy[] | null,
  members: readonly string[],
  caller: Caller,
  row: Row,
  valuesOf: ValuesOf,
): boolean {
  if (policies === null) return true
  const passes = (some: readonly Policy[]) => some.some(policy => passesRow(policy, caller, row, valuesOf))
  if (members.length === 0) return passes(policies)
  return members.every(member => passes(policies.filter(policy => grants(policy, member))))
}

function passesRow({ row_level: rows }: Policy, caller: Caller, row: Row, valuesOf: ValuesOf): boolean {
  return (
    rows === undefined ||
    rowsOf(rows.filters, row, valuesOf).some(values =>
      rows.filters.every(filter => passesFilter(filter, caller, values)),
    )
  )
}

/** A row as all filters see it at once: once for each value of a member that stands for many rows. */
function rowsOf(filters: readonly FilterTree[], row: Row, valuesOf: ValuesOf): readonly Row[] {
  const members = [...new Set(filters.flatMap(membersOf))]
  return members.reduce<readonly Row[]>(
    (rows, member) => rows.flatMap(partial => valuesOf(row, member).map(value => ({ ...partial, [member]: value }))),
    [{}],
  )
}

export const membersOf = (filter: FilterTree): readonly string[] =>
  'and' in filter ? filter.and.flatMap(membersOf) : 'or' in filter ? filter.or.flatMap(membersOf) : [filter.member]

function passesFilter(filter: FilterTree, caller: Caller, row: Row): boolean {
  if ('and' in filter) return filter.and.every(inner => passesFilter(inner, caller, row))
  if ('or' in filter) return filter.or.some(inner => passesFilter(inner, caller, row))
  const value = row[filter.member] ?? null
  if (filter.operator === 'set') return value !== null
  const lists = (filter.values ?? []).map(written => {
    const name = typeof written === 'string' ? /^\{ userAttributes\.(\w+) \}$/.exec(written)?.[1] : undefined
    if (name === undefined) return [written]
    const given = caller.userAttributes[name]
    return given === undefined ? null : Array.isArray(given) ? given : [given]
  })
  const values = lists.flatMap(list => list ?? [])
  if (values.length === 0 || lists.includes(null)) return false
  const isListed = values.some(listed => String(listed) === String(value))
  if (filter.operator === 'equals') return isListed
  if (filter.operator === 'notEquals') return value === null ? !values.includes(null) : !isListed
  return value !== null && Number(value) > Number(values[0])
}

/** The policies that let a masked member be seen on their rows; null where it is not masked. */
export function maskOf(policies: readonly Policy[] | null, member: string): readonly Policy[] | null {
  const granting = (policies ?? []).filter(policy => grants(policy, member))
  const whole = granting.filter(policy => showsWhole(policy, member))
  if (granting.length === whole.length || whole.some(({ row_level: rows }) => rows === undefined)) return null
  return whole
}

/** Whether any of these policies lets the row pass. */
export const isAnyPassing = (policies: readonly Policy[], caller: Caller, row: Row, valuesOf: ValuesOf) =>
  policies.some(policy => passesRow(policy, caller, row, valuesOf))
