import type { MeasureMember, Member } from '../../resolve/model-index.ts'
import type { JoinTree } from '../join-tree.ts'

/** The column that holds a member. */
export const held = <C extends { readonly member: Member }>(columns: readonly C[], { cube, definition }: Member) =>
  columns.find(({ member }) => member.cube.name === cube.name && member.definition.name === definition.name)

/** The column that holds a measure: its own, or that of one that aggregates the same, such as the sum that a window is over. */
export const heldMeasure = <C extends { readonly member: MeasureMember }>(
  columns: readonly C[],
  measure: MeasureMember,
) =>
  held(columns, measure) ??
  columns.find(({ member }) => member.cube.name === measure.cube.name && aggregated(member) === aggregated(measure))

const aggregated = ({ definition: { type, sql, filters } }: MeasureMember) => JSON.stringify([type, sql, filters])

/** The joins that lead to a cube, as a path from the root. */
export function wayTo({ edges }: JoinTree, cube: string): string {
  const edge = edges.find(({ to }) => to === cube)
  return edge ? `${wayTo({ root: '', edges, cubes: [] }, edge.from)}.${cube}` : cube
}
