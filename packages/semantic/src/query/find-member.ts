import { queryError } from '../messages/query-messages.ts'
import { type DimensionMember, isDimension, type Member, type ModelIndex } from '../resolve/model-index.ts'

/** The member that a query names, of the kind that `accepts`; `list` names the kind for messages. */
export function findMember<M extends Member>(
  index: ModelIndex,
  id: string,
  accepts: (member: Member) => member is M,
  list: string,
): M
export function findMember(index: ModelIndex, id: string, accepts: (member: Member) => boolean, list: string): Member
export function findMember(index: ModelIndex, id: string, accepts: (member: Member) => boolean, list: string): Member {
  const [cube = '', name = ''] = id.split('.')
  const source = index.sources.get(cube)
  if (!source) throw queryError('cube_not_found', { cube, path: id, known: index.sources.keys() })
  const member = source.members.get(name)
  if (!member) throw queryError('member_not_found', { member: name, path: id, known: source.members.keys() })
  if (accepts(member)) return member
  throw queryError('member_kind', { member: name, path: id, kind: member.definition.kind, list })
}

export function findTimeDimension(index: ModelIndex, id: string): DimensionMember {
  const member = findMember(index, id, isDimension, 'dimensions')
  if (member.definition.type === 'time') return member
  throw queryError('not_time', { dimension: id, type: member.definition.type })
}
