import { queryError } from '../messages/query-messages.ts'
import { oncePerObject } from '../once-per-object.ts'
import { isCalculation } from '../plan/calculations.ts'
import { type JoinPath, joinPathsIn, joinPathsOf } from '../plan/join-paths.ts'
import { buildJoinTree, extendJoinTree } from '../plan/join-tree.ts'
import { ruleMembers } from '../plan/rule-members.ts'
import {
  indexModel,
  isDimension,
  isMeasure,
  type Member,
  type ModelIndex,
  type Source,
} from '../resolve/model-index.ts'
import type { Mask, Masking, Measure, Model } from '../shapes/model.ts'
import type { QueryContext } from '../shapes/query.ts'
import { type CallerAccess, callerAccess } from './caller-access.ts'
import { maskedName, maskMeasure } from './mask-measures.ts'

/**
 * A model as one caller may see it. Queries are read, planned and described from nothing else, so that there is no way to a member
 * but `shownMember`, and no way to rows but `access.rowsOf`.
 */
export interface SecuredIndex extends ModelIndex {
  readonly access: CallerAccess
  /** Members that the caller asked for so far, by their ids, as he is shown them. Kept by `findMember` alone. */
  readonly asked: AskedMembers
}

/** Nothing is allocated for queries that name members only which everybody is shown as they are. */
class AskedMembers {
  #members: Map<string, Member> | null = null

  get(id: string): Member | undefined {
    return this.#members?.get(id)
  }

  set(id: string, member: Member): void {
    this.#members ??= new Map()
    this.#members.set(id, member)
  }
}

/** The same for the same caller as long as he asks one model: a query is read, and then planned. */
export function secureModel(model: Model, context: QueryContext): SecuredIndex {
  const asked = askedLast(model)
  if (asked.last?.access.context === context) return asked.last
  const index = secureIndex(asked.index, context)
  asked.last = index
  return index
}

/** By the model, which lives long: what is kept by objects that live as short as a query's is most of the garbage collector's work. */
const askedLast = oncePerObject((model: Model): { readonly index: ModelIndex; last: SecuredIndex | null } => ({
  index: indexModel(model),
  last: null,
}))

function secureIndex(index: ModelIndex, context: QueryContext): SecuredIndex {
  return {
    ...index,
    asked: new AskedMembers(),
    member: index.hasPolicies
      ? (cube, name) => maskedMember(index, cube, name) ?? index.member(cube, name)
      : index.member,
    access: callerAccess(index, context),
  }
}

/** The member that stands for the SQL of a measure's mask. */
function maskedMember(index: ModelIndex, cube: string, name: string): Measure | null {
  const masked = maskedName(name)
  const measure = masked === null ? null : index.member(cube, masked)
  return measure?.kind === 'measure' ? maskMeasure(measure) : null
}

/**
 * The member as the caller may see it, masked where he may not see its values. A source that is denied as a whole gives its members
 * as they are, because its queries find no rows.
 *
 * @throws {QueryError} `hidden_member`
 */
export function shownMember(index: SecuredIndex, source: Source, member: Member): Member {
  const { access } = index
  if (access.isDenied(source)) return member
  if (!access.isShown(source, member)) throw queryError('hidden_member', { member: member.id })
  const masking = withWays(index, member, withoutRepetition(index, member, access.maskingOf(source, member)))
  if (!masking) return member
  if (isMeasure(member)) return { ...member, definition: { ...member.definition, masking } }
  return isDimension(member) ? { ...member, definition: { ...member.definition, masking } } : member
}

function withWays(index: SecuredIndex, member: Member, masking: Masking | null): Masking | null {
  if (!masking || (!masking.except && masking.mask?.kind !== 'sql')) return masking
  const { except } = masking
  const mask = repeatsByMask(index, member, masking.mask) ? null : masking.mask
  const leaves = except ? ruleMembers(except) : []
  const ways = {
    except: leaves.flatMap(leaf => joinPathsOf(index, leaf.cube, leaf.member, leaf.joinPath)),
    mask: mask?.kind === 'sql' ? joinPathsIn(index, mask.sql, member.joinPath) : [],
  }
  return { mask, except, ways }
}

/** A value that would be shown on some of the rows that a join makes of one is not shown at all. */
function withoutRepetition(index: SecuredIndex, member: Member, masking: Masking | null): Masking | null {
  if (!masking?.except) return masking
  const paths = ruleMembers(masking.except).flatMap(({ cube, member: name, joinPath }) =>
    joinPathsOf(index, cube, name, joinPath),
  )
  return repeats(index, member, paths) ? { ...masking, except: null } : masking
}

/** Nor is SQL of a mask that gives several values for a row, or aggregates rows that a join repeats; measures in it see to theirs. */
function repeatsByMask(index: SecuredIndex, { cube, definition, joinPath }: Member, mask: Mask | null): boolean {
  if (mask?.kind !== 'sql') return false
  if (definition.kind === 'measure' && isCalculation(index, maskMeasure(definition))) return false
  return repeats(index, { cube, joinPath }, joinPathsIn(index, mask.sql, joinPath))
}

/** Whether joins along these paths repeat rows of a member's cube, or its own joins don't lead there. */
function repeats(
  index: SecuredIndex,
  { cube, joinPath }: Pick<Member, 'cube' | 'joinPath'>,
  paths: readonly JoinPath[],
) {
  if (paths.every(path => path.length === 1 && path[0] === cube.name)) return false
  const [root = ''] = joinPath
  const own = new Set(buildJoinTree(index, [joinPath], [root]).edges)
  const tree = extendJoinTree(index, root, [joinPath, ...paths])
  return tree?.edges.some(edge => edge.relationship === 'one_to_many' && !own.has(edge)) ?? true
}

/** Whether the caller is shown the member as it is. */
export function isPlain({ access }: SecuredIndex, source: Source, member: Member | undefined): boolean {
  if (!member || access.isDenied(source)) return true
  return access.isShown(source, member) && access.maskingOf(source, member) === null
}

/** The member of that id, if the caller may know of it. */
export function findShown({ access, sources }: SecuredIndex, id: string): Member | undefined {
  const [name = '', member = ''] = id.split('.')
  const source = sources.get(name)
  const found = source?.members.get(member)
  return source && found && access.isShown(source, found) ? found : undefined
}

/** The source with the members that the caller may know of; null where it is denied as a whole. */
export function shownSource({ access }: SecuredIndex, source: Source): Source | null {
  if (access.isDenied(source)) return null
  return { ...source, members: new Map([...source.members].filter(([, member]) => access.isShown(source, member))) }
}

/** Names of what the caller may know of, for messages. */
export function* shownSources({ sources, access }: SecuredIndex): Iterable<string> {
  for (const [name, source] of sources) if (!access.isDenied(source)) yield name
}

export function shownNames({ access }: SecuredIndex, source: Source): string[] {
  return [...source.members].flatMap(([name, member]) => (access.isShown(source, member) ? [name] : []))
}
