import type { Member } from '../../resolve/model-index.ts'
import type { JoinTree } from '../join-tree.ts'

/** The column that holds a member. */
export const held = <C extends { readonly member: Member }>(columns: readonly C[], { cube, definition }: Member) =>
  columns.find(({ member }) => member.cube.name === cube.name && member.definition.name === definition.name)

/** The joins that lead to a cube, as a path from the root. */
export function wayTo({ edges }: JoinTree, cube: string): string {
  const edge = edges.find(({ to }) => to === cube)
  return edge ? `${wayTo({ root: '', edges, cubes: [] }, edge.from)}.${cube}` : cube
}
