import type { Member, Source } from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import type { View } from '../shapes/model.ts'
import type { MemberFilter } from '../shapes/query.ts'
import { noRows } from './policy-rows.ts'
import { isPlain, type SecuredIndex } from './secured-index.ts'

/** What of a query says which rows it is about. */
interface Filtering {
  readonly filters: readonly MemberFilter[]
  /** Ids of time dimensions with a date range. */
  readonly ranges: readonly string[]
}

/**
 * What policies ask of a query's rows as a whole: those of its views, and that there are none where a view, or a cube that is asked
 * for, has no policy for the caller. A view's default filters on what the caller is not shown as it is are here too: the query
 * doesn't name them, for he would be told of them.
 */
export function viewRules(
  index: SecuredIndex,
  members: readonly Member[],
  filteringOf: () => Filtering,
): readonly RowRule[] {
  if (!index.hasPolicies) return none
  const { access, sources } = index
  const asked = new Map<Source, Member[]>()
  const cubes = new Set<string>()
  for (const member of members) {
    cubes.add(member.cube.name)
    // A cube's own member has its cube's name.
    if (member.id.startsWith(`${member.cube.name}.`)) continue
    const source = sources.get(member.id.slice(0, member.id.indexOf('.')))
    if (source?.definition.kind !== 'view') continue
    const ofView = asked.get(source)
    if (ofView) ofView.push(member)
    else asked.set(source, [member])
  }
  const isDenied = (source: Source | undefined) => source !== undefined && access.isDenied(source)
  for (const view of asked.keys()) if (isDenied(view)) return [noRows]
  for (const cube of cubes) if (isDenied(sources.get(cube))) return [noRows]
  return [...asked].flatMap(([view, ofView]) => [
    ...ruled(access.rowsOf(view, ofView)),
    ...(view.definition.kind === 'view' ? hiddenDefaults(index, view, view.definition.view, filteringOf) : []),
  ])
}

/** Without policies everybody is shown everything, default filters too. */
const none: readonly never[] = []

const ruled = (rule: RowRule | null): readonly RowRule[] => (rule ? [rule] : [])

function hiddenDefaults(
  index: SecuredIndex,
  source: Source,
  { defaultFilters }: View,
  filteringOf: () => Filtering,
): RowRule[] {
  if (defaultFilters.length === 0) return []
  const { filters, ranges } = filteringOf()
  const isNamed = (member: string) => isPlain(index, source, source.members.get(member))
  // A query names the other default filters among its own, and those release nothing.
  const isDefault = ({ member, operator }: MemberFilter) =>
    defaultFilters.some(filter => `${source.name}.${filter.member}` === member && filter.operator === operator)
  const released = new Set([...ranges, ...filters.filter(filter => !isDefault(filter)).map(({ member }) => member)])
  return defaultFilters.flatMap(({ member: name, operator, values, unless }): RowRule[] => {
    const member = source.members.get(name)
    if (!member || isNamed(name) || unless.some(other => released.has(`${source.name}.${other}`))) return []
    const { cube, definition, joinPath } = member
    const at = { kind: 'member', cube: cube.name, member: definition.name, joinPath } as const
    return [{ ...at, operator, values, isDefaultFilter: true }]
  })
}
