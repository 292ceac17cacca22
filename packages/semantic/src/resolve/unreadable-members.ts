import type { ViewCubeSpec, ViewSpec } from '../shapes/tree.ts'
import type { Names } from './names.ts'

/** Whether a member that a view does not have may only seem to be missing: it stands for something that could not be read. */
export function mayBeUnreadable(spec: ViewSpec, member: string, names: Names): boolean {
  if (names.isIncomplete(spec.name.value)) return true
  return spec.cubes.some(cubeSpec => {
    const cube = cubeSpec.joinPath.value.at(-1) ?? ''
    if (names.isIncomplete(cube) || names.membersOf(cube) === undefined) return true
    return names.incompleteMembers(cube).some(name => namesInView(cubeSpec, cube, name).includes(member))
  })
}

function namesInView({ includes, prefix, alias }: ViewCubeSpec, cube: string, member: string): string[] {
  const before = prefix ? `${alias ?? cube}_` : ''
  if (includes === '*') return [before + member]
  return includes.flatMap(item => (item.name.value === member ? [before + (item.alias?.value ?? member)] : []))
}
