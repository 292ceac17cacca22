import type { Member, Source } from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import { noRows } from './policy-rows.ts'
import type { SecuredIndex } from './secured-index.ts'

/**
 * What policies ask of a query's rows as a whole: those of its views, and that there are none where a view, or a cube that is asked
 * for, has no policy for the caller.
 */
export function viewRules({ access, sources }: SecuredIndex, members: readonly Member[]): RowRule[] {
  const asked = new Map<Source, Member[]>()
  const cubes = new Set<string>()
  for (const member of members) {
    const source = sources.get(member.id.split('.')[0] ?? '')
    if (source?.definition.kind === 'view') asked.set(source, [...(asked.get(source) ?? []), member])
    cubes.add(member.cube.name)
  }
  const owners = [...asked.keys(), ...[...cubes].flatMap(cube => sources.get(cube) ?? [])]
  if (owners.some(source => access.isDenied(source))) return [noRows]
  return [...asked].flatMap(([view, ofView]) => access.rowsOf(view, ofView) ?? [])
}
