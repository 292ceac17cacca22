import type { DimensionSpec, MeasureSpec, MemberPath, SegmentSpec } from '../shapes/tree.ts'
import { walkPath } from './bind-sql.ts'
import type { Names } from './names.ts'
import { titleOf } from './titles.ts'

/** The cube whose members are being bound. */
export interface Scope {
  readonly cube: string
  readonly names: Names
}

/** Looks up a member named outside SQL; reports when there is none. */
export function findMember(
  path: MemberPath,
  cube: string,
  names: Names,
): { readonly id: string; readonly kind: string } | null {
  const { cube: owner, rest } = walkPath(path.value, cube, names)
  const [member = ''] = rest
  const found = rest.length === 1 ? names.membersOf(owner)?.get(member) : undefined
  if (found) return { id: `${owner}.${member}`, kind: found.kind }
  if (!names.isIncomplete(owner, member) && !(rest.length > 1 && names.mayBeCube(member))) {
    names.log.report(path.at, 'unresolved', {
      cube: owner,
      name: rest.join('.') || path.value.join('.'),
      known: [...(names.membersOf(owner)?.keys() ?? [])],
    })
  }
  return null
}

/** What every member shows of itself. */
export function presentation(spec: DimensionSpec | MeasureSpec | SegmentSpec, isPublicByDefault: boolean) {
  return {
    name: spec.name.value,
    title: spec.title ?? titleOf(spec.name.value),
    description: spec.description,
    isPublic: spec.public ?? isPublicByDefault,
    meta: spec.meta,
  }
}
