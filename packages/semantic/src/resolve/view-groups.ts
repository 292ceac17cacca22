import type { ProblemLog } from '../messages/model-messages.ts'
import type { ViewGroup } from '../shapes/model.ts'
import type { ViewGroupSpec, ViewSpec } from '../shapes/tree.ts'

/**
 * Binds view groups to views: those that a group names, then those that name the group. Views name outermost groups only.
 *
 * @param mayBe whether a view or group that is missing may only seem to be, because it could not be read
 */
export function resolveViewGroups(
  specs: readonly ViewGroupSpec[],
  views: readonly ViewSpec[],
  mayBe: { view(name: string): boolean; group(name: string): boolean },
  log: ProblemLog,
): ViewGroup[] {
  /** By its name, the first of a group. */
  const seen = new Map<string, ViewGroupSpec>()
  const known = new Set(views.map(({ name }) => name.value))
  const isNew = (spec: ViewGroupSpec): boolean => {
    const { name } = spec
    const first = seen.get(name.value)
    if (!first) {
      seen.set(name.value, spec)
      return true
    }
    // The field has one text for a list with a name twice, and one for the same name in another place.
    const isInOneList = specs.includes(first) && specs.includes(spec) && first.name.at.file === name.at.file
    log.report(name.at, 'view_group_duplicate', { group: name.value, isInOneList })
    return false
  }
  const resolveGroup = (spec: ViewGroupSpec, more: readonly string[]): ViewGroup => {
    const group = spec.name.value
    const written = spec.includes.flatMap((item): (string | ViewGroup)[] => {
      if ('includes' in item) return isNew(item) ? [resolveGroup(item, [])] : []
      if (known.has(item.value)) return [item.value]
      if (!mayBe.view(item.value))
        log.report(item.at, 'view_group_view', { group, view: item.value, known: [...known] })
      return []
    })
    const includes = [...new Set([...written, ...more])]
    const own = includes.filter(item => typeof item === 'string')
    return { name: group, title: spec.title, description: spec.description, views: own, includes }
  }
  const top = specs.filter(isNew)
  const names = top.map(({ name }) => name.value)
  for (const view of views) {
    for (const { value: group, at } of view.viewGroups) {
      if (names.includes(group) || mayBe.group(group)) continue
      log.report(at, 'view_group_missing', { view: view.name.value, group, known: names })
    }
  }
  return top.map(spec => {
    const members = views.filter(view => view.viewGroups.some(({ value }) => value === spec.name.value))
    return resolveGroup(
      spec,
      members.map(({ name }) => name.value),
    )
  })
}
