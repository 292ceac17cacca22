import type {
  DefaultFilterSpec,
  FolderItemSpec,
  FolderSpec,
  IncludeSpec,
  Located,
  ViewCubeSpec,
  ViewSpec,
} from '../shapes/tree.ts'
import {
  boolean,
  json,
  listOf,
  literalValues,
  locatedJson,
  locatedText,
  memberPath,
  optional,
  orElse,
  type Reader,
  readMap,
  required,
  text,
  watchProblems,
  withoutValues,
} from './fields.ts'
import { describedFields, describedSynonyms, type Incomplete, parent } from './named.ts'
import { accessPolicies } from './read-access-policy.ts'
import { describeNode, isList, isMap, isScalar, type ModelSource, type SourceMap } from './source-node.ts'

const folderDepthLimit = 16

/** What says which members a view has and what they are called: where it can't be read, there may be others than seem to be. */
const naming =
  <T>(read: Reader<T>): Reader<T> =>
  (value, place, source) => {
    const result = read(value, place, source)
    if (result === undefined) place.owner?.lostMembers()
    return result
  }

const includeRules = {
  fields: {
    name: required(locatedText),
    alias: optional(naming(locatedText)),
    title: optional(text),
    description: optional(text),
    format: optional(locatedJson),
    meta: optional(json),
  },
}

const include: Reader<IncludeSpec> = (value, place, source) => {
  if (!isMap(value)) {
    const name = locatedText(value, place, source)
    return name && { name, alias: null, title: null, description: null, format: null, meta: null }
  }
  return readMap(value, `an item of '${place.key}' of ${place.of}`, includeRules, source, place.owner)
}

const starOr =
  <T>(list: Reader<readonly T[]>): Reader<'*' | readonly T[]> =>
  (value, place, source) =>
    isScalar(value) && value.value === '*' ? '*' : list(value, place, source)

const viewCubeRules = {
  fields: {
    joinPath: required(memberPath),
    includes: required(naming(starOr(listOf(naming(include))))),
    excludes: optional(listOf(locatedText), []),
    prefix: optional(naming(boolean), false),
    alias: optional(naming(text)),
    split: optional(boolean, false),
  },
}

const viewCube: Reader<ViewCubeSpec> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'wrong_type', {
      ...place,
      expected: "a list of maps with 'join_path'",
      actual: describeNode(value),
    })
    return undefined
  }
  const read = readMap(value, `'cubes' of ${place.of}`, viewCubeRules, source, place.owner)
  if (!read?.split || !read.prefix) return read
  source.log.report(read.joinPath.at, 'split_prefix', {})
  return read
}

const folderItem =
  (depth: number): Reader<FolderItemSpec> =>
  (value, place, source) => {
    if (!isMap(value)) {
      const member = locatedText(value, place, source)
      return member && { kind: 'member', member }
    }
    if (value.entries.some(({ name }) => name === 'join_path' || name === 'joinPath')) {
      const read = readMap(value, `'includes' of ${place.of}`, { fields: { joinPath: required(memberPath) } }, source)
      return read && { kind: 'path', joinPath: read.joinPath }
    }
    const read = folder(depth + 1)(value, place, source)
    return read && { kind: 'folder', folder: read }
  }

const folder =
  (depth: number): Reader<FolderSpec> =>
  (value, place, source) => {
    if (!isMap(value) || depth > folderDepthLimit) {
      const expected = isMap(value) ? `nested at most ${folderDepthLimit} deep` : "a map with 'name' and 'includes'"
      source.log.report(source.at(value), 'wrong_type', { ...place, expected, actual: describeNode(value) })
      return undefined
    }
    const fields = { name: required(locatedText), includes: required(starOr(listOf(folderItem(depth)))) }
    return readMap(value, `a folder of ${place.of}`, { fields }, source)
  }

const defaultFilter: Reader<DefaultFilterSpec> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'wrong_type', {
      ...place,
      expected: 'a list of maps',
      actual: describeNode(value),
    })
    return undefined
  }
  const fields = {
    member: required(memberPath),
    operator: required(locatedText),
    values: optional(literalValues),
    unless: optional(listOf(memberPath), []),
  }
  const isSound = watchProblems(source)
  const read = readMap(value, `a default filter of ${place.of}`, { fields }, source)
  return read && (isSound() ? read : withoutValues(read))
}

const viewCubes: Reader<readonly ViewCubeSpec[]> = orElse(naming(listOf(naming(viewCube))), [])

const ownMembers = ['measures', 'dimensions', 'segments', 'joins', 'hierarchies']

const viewFields = {
  ...describedFields,
  extends: optional(parent),
  cubes: required(viewCubes),
  viewGroup: optional(locatedText),
  viewGroups: optional(listOf(locatedText), []),
  folders: optional(listOf(folder(0)), []),
  defaultFilters: optional(listOf(defaultFilter), []),
  accessPolicy: optional(accessPolicies, []),
}
const viewRules = { fields: viewFields, synonyms: describedSynonyms }
/** A view that extends another has its cubes. */
const extendingViewRules = { ...viewRules, fields: { ...viewFields, cubes: optional(viewCubes, []) } }

/** Reads one view. The name of one whose members are not all known is kept in `incomplete`. */
export function readView(
  node: SourceMap,
  name: Located<string>,
  source: ModelSource,
  incomplete: Incomplete,
): ViewSpec | undefined {
  const view = name.value
  const own = node.entries.filter(({ name: key }) => ownMembers.includes(key))
  for (const { key, name: kind, value } of own) {
    const items = isList(value) ? value.items : []
    const written = items.flatMap(item => (isMap(item) ? item.entries : [])).find(entry => entry.name === 'name')
    const member = isScalar(written?.value) ? String(written.value.value) : kind
    source.log.report(source.at(key), 'view_own_member', { view, member })
  }
  const isExtending = node.entries.some(({ name: key }) => key === 'extends')
  const lostMembers = () => incomplete.add(view)
  if (own.length > 0) lostMembers()
  const owner = { name: view, failed: lostMembers, lostMembers }
  const others = { ...node, entries: node.entries.filter(entry => !own.includes(entry)) }
  const read = readMap(others, `view '${view}'`, isExtending ? extendingViewRules : viewRules, source, owner)
  if (!read) return undefined
  const { viewGroup, viewGroups, ...rest } = read
  return { ...rest, viewGroups: [...(viewGroup ? [viewGroup] : []), ...viewGroups] }
}
