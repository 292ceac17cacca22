import type { ViewSpec } from '../shapes/tree.ts'
import type { Names } from './names.ts'

/** The dimensions that hierarchies named by a view stand on, by cube: they are included without being named. */
export function includedLevels(spec: ViewSpec, names: Names): ReadonlyMap<string, ReadonlySet<string>> {
  const levels = new Map<string, Set<string>>()
  for (const { joinPath, includes, excludes } of spec.cubes) {
    if (includes === '*') continue
    const cube = joinPath.value.at(-1) ?? ''
    for (const { name } of includes) {
      const member = names.membersOf(cube)?.get(name.value)
      if (member?.kind !== 'hierarchy' || excludes.some(({ value }) => value === name.value)) continue
      for (const { value: path } of member.spec.levels) {
        const owner = levelOwner(path, cube)
        levels.set(owner, (levels.get(owner) ?? new Set()).add(path.at(-1) ?? ''))
      }
    }
  }
  return levels
}

/** The cube of a level, which a hierarchy of `cube` names. */
export const levelOwner = (path: readonly string[], cube: string): string => {
  const owner = path.at(-2)
  return owner === undefined || owner === 'CUBE' ? cube : owner
}
