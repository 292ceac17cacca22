import { oncePerObject } from '../once-per-object.ts'
import type { BoundSql, Cube, Dimension, Measure, Segment } from '../shapes/model.ts'
import type { MemberSpec, Names } from './names.ts'

/** A member that stands for more pieces of SQL than this would make queries that nothing can run. */
const sizeLimit = 10_000

/** Reports members that refer to each other in a circle, and members that expand to too much SQL. */
export function checkReferences(cubes: readonly Cube[], names: Names): void {
  const references = new Map<string, readonly string[]>()
  for (const cube of cubes) for (const [id, referred] of referencesOf(cube)) references.set(id, referred)
  const sizes = new Map<string, number>()
  for (const start of references.keys()) visit(start, references, sizes, names)
}

/** What each member of a cube refers to, as ids; members that refer to none are left out. */
const referencesOf = oncePerObject((cube: Cube): readonly (readonly [string, readonly string[]])[] =>
  [...cube.dimensions, ...cube.measures, ...cube.segments].flatMap(member => {
    const referred = memberSql(member).flatMap(referredMembers)
    return referred.length > 0 ? [[`${cube.name}.${member.name}`, referred] as const] : []
  }),
)

/** Depth first without recursion: a chain of references can be longer than the stack. */
function visit(
  start: string,
  references: ReadonlyMap<string, readonly string[]>,
  sizes: Map<string, number>,
  names: Names,
): void {
  const path: { readonly id: string; next: number }[] = []
  const onPath = new Set<string>()
  const enter = (id: string) => {
    path.push({ id, next: 0 })
    onPath.add(id)
  }
  if (!sizes.has(start)) enter(start)
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const targets = references.get(top.id) ?? []
    const target = targets[top.next]
    top.next += 1
    if (target === undefined) {
      finish(top.id, targets, sizes, names)
      onPath.delete(top.id)
      path.pop()
    } else if (onPath.has(target)) {
      const circle = path.slice(path.findIndex(({ id }) => id === target)).map(({ id }) => id)
      const spec = specOf(target, names)
      if (spec) names.log.report(spec.spec.name.at, 'reference_circle', { path: [...circle, target] })
    } else if (!sizes.has(target) && references.has(target)) {
      enter(target)
    }
  }
}

function finish(id: string, targets: readonly string[], sizes: Map<string, number>, names: Names): void {
  const size = targets.reduce((sum, target) => sum + (sizes.get(target) ?? 1), 1)
  sizes.set(id, size > sizeLimit ? 1 : size)
  const spec = size > sizeLimit ? specOf(id, names) : undefined
  if (spec) {
    names.log.report(spec.spec.name.at, 'reference_too_deep', { of: `'${id}'`, limit: sizeLimit })
  }
}

function specOf(id: string, names: Names): MemberSpec | undefined {
  const [cube = '', member = ''] = id.split('.')
  return names.membersOf(cube)?.get(member)
}

/** Every piece of SQL that a member is made of. */
export function memberSql(member: Dimension | Measure | Segment): readonly BoundSql[] {
  if (member.kind === 'segment') return [member.sql]
  if (member.kind === 'measure') return member.sql ? [member.sql, ...member.filters] : member.filters
  const { expression } = member
  if (expression.kind === 'sql') return [expression.sql]
  if (expression.kind === 'geo') return [expression.latitude, expression.longitude]
  const labels = [...expression.when.map(({ label }) => label), ...(expression.otherwise ? [expression.otherwise] : [])]
  return [
    ...expression.when.map(({ condition }) => condition),
    ...labels.flatMap(label => ('sql' in label ? [label.sql] : [])),
  ]
}

const referredMembers = (sql: BoundSql): string[] =>
  sql.parts.flatMap(part =>
    typeof part !== 'string' && (part.kind === 'member' || part.kind === 'granularity')
      ? [`${part.cube}.${part.member}`]
      : [],
  )
