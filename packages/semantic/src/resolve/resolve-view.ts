import type { View, ViewMember } from '../shapes/model.ts'
import type { IncludeSpec, Located, ViewCubeSpec, ViewSpec } from '../shapes/tree.ts'
import { resolveViewPolicies } from './access-policies.ts'
import { resolveDefaultFilters } from './default-filters.ts'
import { resolveFolders } from './folders.ts'
import { resolveFormatting } from './formats.ts'
import { linkDimensionName } from './link-dimensions.ts'
import { type MemberSpec, mayBeJoined, type Names } from './names.ts'
import { rememberResolved } from './remember-resolved.ts'
import { titleOf } from './titles.ts'
import { includedLevels, levelOwner } from './view-hierarchies.ts'

type ViewHierarchy = View['hierarchies'][number]

/** A member or a hierarchy that a view takes from a cube, under its name in the view. */
interface Included {
  readonly name: string
  readonly member: MemberSpec
  readonly cube: string
  readonly joinPath: readonly string[]
  readonly include: IncludeSpec | null
}

/** Binds one view: which members it shows, under which names, and over which join paths. */
export const resolveView = rememberResolved((spec: ViewSpec, names: Names): View => {
  const view = spec.name.value
  checkPaths(spec, names)
  const included = new Map<string, Included>()
  const levels = includedLevels(spec, names)
  for (const cubeSpec of spec.cubes) {
    for (const item of includedMembers(cubeSpec, view, levels, names)) {
      const other = included.get(item.name)
      // The same member again, as where a view extends another: what is said of it last holds.
      if (other && !isSame(other, item)) {
        const at = item.include?.name.at ?? cubeSpec.joinPath.at
        names.log.report(at, 'include_conflict', { member: item.name, view })
      } else {
        included.set(item.name, item)
      }
    }
  }
  const all = [...included.values()]
  checkKeys(all, view, names)
  const members = all.flatMap(item => viewMember(item, names) ?? [])
  return {
    name: view,
    title: spec.title ?? titleOf(view),
    description: spec.description,
    isPublic: spec.public ?? true,
    meta: spec.meta,
    file: spec.name.at.file,
    members,
    hierarchies: all.flatMap(item => viewHierarchy(item, view, members) ?? []),
    folders: resolveFolders(spec, members, names),
    defaultFilters: resolveDefaultFilters(spec, members, names),
    accessPolicies: resolveViewPolicies(spec, members, names),
  }
})

const isSame = (left: Included, right: Included) =>
  left.member === right.member && left.joinPath.join('.') === right.joinPath.join('.')

/** Every step of a join path must be joined, and one cube can be reached in one way only. */
function checkPaths(spec: ViewSpec, names: Names): void {
  const view = spec.name.value
  const paths = new Map<string, string>()
  for (const { joinPath } of spec.cubes) {
    const missing = joinPath.value.find(cube => names.membersOf(cube) === undefined)
    if (missing !== undefined) {
      if (!names.mayBeCube(missing)) {
        names.log.report(joinPath.at, 'view_cube_missing', { name: missing, known: names.cubeNames() })
      }
      continue
    }
    for (const [index, to] of joinPath.value.entries()) {
      const from = joinPath.value[index - 1]
      if (from !== undefined && !names.joins.isJoined(from, to) && !mayBeJoined(from, to, names)) {
        names.log.report(joinPath.at, 'view_path', { from, to, view })
      }
    }
    const root = joinPath.value[0] ?? ''
    for (const [index, cube] of joinPath.value.entries()) {
      const written = joinPath.value.slice(0, index + 1).join('.')
      const other = paths.get(`${root} ${cube}`)
      if (other !== undefined && other !== written) {
        names.log.report(joinPath.at, 'view_paths', { view, cube, root, paths: [other, written] })
      } else {
        paths.set(`${root} ${cube}`, written)
      }
    }
  }
}

function includedMembers(
  spec: ViewCubeSpec,
  view: string,
  levels: ReadonlyMap<string, ReadonlySet<string>>,
  names: Names,
): Included[] {
  const joinPath = spec.joinPath.value
  const cube = joinPath.at(-1) ?? ''
  const members = names.membersOf(cube)
  if (!members) return []
  const excluded = excludedNames(spec, cube, view, members, names)
  const prefix = spec.prefix ? `${spec.alias ?? cube}_` : ''
  const item = (member: MemberSpec, include: IncludeSpec | null): Included => ({
    name: prefix + (include?.alias?.value ?? member.spec.name.value),
    member,
    cube,
    joinPath,
    include,
  })
  if (spec.includes === '*') {
    return [...members.values()].flatMap(member => (excluded.has(member.spec.name.value) ? [] : [item(member, null)]))
  }
  const named = new Set(spec.includes.map(({ name }) => name.value))
  const included = spec.includes.flatMap(include => {
    const { value: name, at } = include.name
    const member = members.get(name)
    if (member && excluded.has(name)) return []
    if (member) {
      const addresses = addressesOf(member, members).filter(
        ({ spec: { name: own } }) => !excluded.has(own.value) && !named.has(own.value),
      )
      const own = item(member, include)
      // Under the dimension's name in the view, so that who may not see the one can't see the other.
      return [
        own,
        ...addresses.map(address => ({
          ...item(address, null),
          name: own.name + address.spec.name.value.slice(name.length),
        })),
      ]
    }
    if (name.includes('.')) names.log.report(at, 'include_path', { member: name })
    else if (!names.isIncomplete(cube, name)) {
      names.log.report(at, 'include_missing', { member: name, view, cube, known: [...members.keys()] })
    }
    return []
  })
  const unnamed = [...(levels.get(cube) ?? [])].filter(name => !named.has(name) && !excluded.has(name))
  return [...included, ...unnamed.flatMap(name => members.get(name) ?? []).map(member => item(member, null))]
}

/** The dimensions that hold the addresses of a dimension's links; they come along with it. */
function addressesOf(member: MemberSpec, members: ReadonlyMap<string, MemberSpec>): MemberSpec[] {
  if (member.kind !== 'dimension') return []
  const { name, links } = member.spec
  return links.flatMap(link => members.get(linkDimensionName(name.value, link.name.value)) ?? [])
}

/** The key of a dimension must be in the view, or clients could not tell its values apart. */
function checkKeys(all: readonly Included[], view: string, names: Names): void {
  for (const { member, cube, joinPath, include } of all) {
    if (member.kind !== 'dimension' || !member.spec.key) continue
    const key = member.spec.key.value.at(-1) ?? ''
    const isIncluded = all.some(
      other => other.member.spec.name.value === key && other.joinPath.join('.') === joinPath.join('.'),
    )
    if (isIncluded || names.isIncomplete(cube, key) || names.isIncomplete(view)) continue
    const dimension = `${cube}.${member.spec.name.value}`
    names.log.report(include?.name.at ?? member.spec.key.at, 'key_not_included', {
      dimension,
      key: `${cube}.${key}`,
      view,
    })
  }
}

function excludedNames(
  spec: ViewCubeSpec,
  cube: string,
  view: string,
  members: ReadonlyMap<string, MemberSpec>,
  names: Names,
): Set<string> {
  const report = ({ value: member, at }: Located<string>) => {
    if (member.includes('.')) names.log.report(at, 'exclude_path', { member })
    else if (!members.has(member) && !names.isIncomplete(cube, member)) {
      names.log.report(at, 'exclude_missing', { member, view, cube, known: [...members.keys()] })
    }
  }
  for (const exclude of spec.excludes) report(exclude)
  return new Set(
    spec.excludes.flatMap(({ value }) => {
      const member = members.get(value)
      return [value, ...(member ? addressesOf(member, members) : []).map(address => address.spec.name.value)]
    }),
  )
}

function viewMember({ name, member, cube, joinPath, include }: Included, names: Names): ViewMember | null {
  if (member.kind === 'hierarchy') return null
  const { spec } = member
  const formatting =
    include?.format && member.kind !== 'segment' && !names.isIncomplete(cube, spec.name.value)
      ? resolveFormatting(
          { kind: member.kind, type: member.spec.type, format: include.format, currency: member.spec.currency },
          names.log,
        )
      : null
  return {
    kind: member.kind,
    name,
    title: include?.title ?? spec.title ?? titleOf(name),
    description: include?.description ?? spec.description,
    // Whether the cube is public says nothing here: private cubes are what public views are for. A key is shown like any
    // other, and what the view names one by one is shown whatever its cube says.
    isPublic: include !== null || (spec.public ?? true),
    meta: include?.meta ?? spec.meta,
    cube,
    member: spec.name.value,
    joinPath,
    formatting,
  }
}

/** A hierarchy is shown when the view includes at least one of its levels, with the levels that it includes. */
function viewHierarchy(
  { name, member, cube, include }: Included,
  view: string,
  members: readonly ViewMember[],
): ViewHierarchy | null {
  if (member.kind !== 'hierarchy') return null
  const { spec } = member
  const levels = spec.levels.flatMap(({ value: path }) => {
    const owner = levelOwner(path, cube)
    const level = members.find(candidate => candidate.cube === owner && candidate.member === path.at(-1))
    return level ? [`${view}.${level.name}`] : []
  })
  if (levels.length === 0) return null
  return {
    name,
    title: include?.title ?? spec.title ?? titleOf(name),
    isPublic: spec.public ?? true,
    levels,
    aliasMember: `${cube}.${spec.name.value}`,
  }
}
