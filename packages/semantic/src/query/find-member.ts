import { type SecuredIndex, shownMember, shownNames, shownSources } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import { type DimensionMember, isDimension, type Member } from '../resolve/model-index.ts'
import type { MemberFilter } from '../shapes/query.ts'

/**
 * The member that a query names, of the kind that `accepts`, as the caller may see it; `list` names the kind for messages.
 *
 * @throws {QueryError} when there is none, or not for this caller
 */
export function findMember<M extends Member>(
  index: SecuredIndex,
  id: string,
  accepts: (member: Member) => member is M,
  list: string,
): M
export function findMember(index: SecuredIndex, id: string, accepts: (member: Member) => boolean, list: string): Member
export function findMember(
  index: SecuredIndex,
  id: string,
  accepts: (member: Member) => boolean,
  list: string,
): Member {
  const found = index.find(id)
  const member = found?.isOpen === true ? found.member : (index.asked.get(id) ?? lookUp(index, id))
  if (accepts(member)) return member
  throw queryError('member_kind', {
    member: member.id.split('.')[1] ?? '',
    path: id,
    kind: member.definition.kind,
    list,
  })
}

/** The member that a filter is about: of the caller's own filters, as he may see it. */
export function filteredMember(index: SecuredIndex, { member: id, isOfModel }: MemberFilter): Member {
  if (!isOfModel) return findMember(index, id, isAny, 'members')
  const found = index.find(id)
  if (!found) throw new Error(`A filter of the model is about '${id}', which it doesn't have`)
  return found.member
}

const isAny = () => true

function lookUp(index: SecuredIndex, id: string): Member {
  const end = id.indexOf('.')
  const cube = id.slice(0, end)
  // Of three names, as a time dimension with its granularity has, the first two.
  const [name = ''] = id.slice(end + 1).split('.', 1)
  const source = index.sources.get(cube)
  if (!source) throw queryError('cube_not_found', { cube, path: id, known: shownSources(index) })
  const defined = source.members.get(name)
  if (!defined) throw queryError('member_not_found', { member: name, path: id, known: shownNames(index, source) })
  const member = shownMember(index, source, defined)
  index.asked.set(member.id, member)
  return member
}

export function findTimeDimension(index: SecuredIndex, id: string): DimensionMember {
  const member = findMember(index, id, isDimension, 'dimensions')
  if (member.definition.type === 'time') return member
  throw queryError('not_time', { dimension: id, type: member.definition.type })
}
