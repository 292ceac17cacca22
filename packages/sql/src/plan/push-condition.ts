import { Unprintable } from '../print/piece.ts'
import type { Bound } from '../shapes/bound.ts'
import { adHocMember, isOf, type PartBuilder } from './part.ts'
import { restFilter } from './rest-filter.ts'

/** Puts a condition into the part; false where it has no words for it. */
export function pushCondition(part: PartBuilder, condition: Bound): boolean {
  if (condition.kind === 'column' && condition.member?.kind === 'segment' && isOf(part, condition.relation)) {
    part.segments.add(condition.member.id)
    return true
  }
  if (
    condition.kind === 'isTruth' &&
    condition.truth === 'true' &&
    !condition.negated &&
    isSegment(condition.operand)
  ) {
    return pushCondition(part, condition.operand)
  }
  if (condition.kind === 'call' && condition.call === 'operator =' && condition.arguments.some(isSegment)) {
    const [truth] = condition.arguments.filter(argument => argument.kind === 'constant' && argument.value === 'true')
    const segment = condition.arguments.find(isSegment)
    if (truth && segment) return pushCondition(part, segment)
  }
  const filter = restFilter(condition, part.relations, false)
  if (filter) {
    part.filters.push(filter)
    return true
  }
  try {
    part.segments.add(adHocMember(part, { kind: 'segment' }, condition))
    return true
  } catch (error) {
    if (error instanceof Unprintable) return false
    throw error
  }
}

const isSegment = (value: Bound): boolean => value.kind === 'column' && value.member?.kind === 'segment'
