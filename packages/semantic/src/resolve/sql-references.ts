import type { BoundSql, MemberReference } from '../shapes/model.ts'

/** Every reference to a cube or a member, those inside context variables too. */
export function memberReferences({ parts }: BoundSql): readonly MemberReference[] {
  return parts.flatMap((part): readonly MemberReference[] => {
    if (typeof part === 'string') return []
    switch (part.kind) {
      case 'filterParams':
        return part.params.flatMap(({ column }) => memberReferences(column.sql))
      case 'localTime':
      case 'urlEncoded':
        return memberReferences(part.sql)
      case 'securityContext':
        return part.column ? memberReferences(part.column.sql) : []
      case 'argument':
      case 'constant':
        return []
      default:
        return [part]
    }
  })
}
