import type { ContextExpression } from '../shapes/access.ts'
import type { AccessPolicySpec, Located, MemberListSpec, PolicyFilterSpec, PolicyValueSpec } from '../shapes/tree.ts'
import { readTemplate } from './context-template.ts'
import {
  listOf,
  locatedText,
  memberPath,
  optional,
  type Place,
  type Reader,
  readMap,
  required,
  text,
  watchProblems,
  withoutValues,
} from './fields.ts'
import { describeNode, isList, isMap, isScalar, type ModelSource, type SourceNode } from './source-node.ts'

const filterDepthLimit = 32

function wrongType(value: SourceNode, place: Place, expected: string, source: ModelSource): undefined {
  source.log.report(source.at(value), 'wrong_type', { ...place, expected, actual: describeNode(value) })
}

/** `"*"`, one name, or a list of names. */
const names: Reader<'*' | readonly Located<string>[]> = (value, place, source) => {
  if (isScalar(value) && value.value === '*') return '*'
  return isList(value) ? listOf(locatedText)(value, place, source) : wrongType(value, place, `"*" or a list`, source)
}

const memberList: Reader<MemberListSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'includes' and 'excludes'", source)
  const fields = { includes: optional(names, '*'), excludes: optional(names, []) }
  return readMap(value, `'${place.key}' of ${place.of}`, { fields }, source)
}

/** One group, or several. */
const groupNames: Reader<readonly string[]> = (value, place, source) => {
  if (isList(value)) return listOf(text)(value, place, source)
  const read = text(value, place, source)
  return read === undefined ? undefined : [read]
}

const condition: Reader<ContextExpression> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a list of maps with 'if'", source)
  const fields = { if: required(expression) }
  return readMap(value, `'${place.key}' of ${place.of}`, { fields }, source)?.if
}

/** An expression, in braces or without. */
const expression: Reader<ContextExpression> = (value, place, source) => {
  if (isScalar(value) && typeof value.value === 'boolean') return { kind: 'literal', value: value.value }
  const written = braced(value, place, source)?.trim()
  if (written === undefined) return undefined
  const parts = readTemplate(written.startsWith('{') ? written : `{${written}}`, value, place, source)
  const [only] = parts ?? []
  if (parts?.length === 1 && only !== undefined && typeof only !== 'string') return only
  if (parts) source.log.report(source.at(value), 'python_expression', { expression: written })
  return undefined
}

/** Text; YAML reads braces without quotes as a map. */
function braced(value: SourceNode, place: Place, source: ModelSource): string | undefined {
  if (isMap(value)) source.log.report(source.at(value), 'sql_is_map', { ...place })
  else if (isScalar(value) && typeof value.value === 'string') return value.value
  else wrongType(value, place, 'an expression', source)
  return undefined
}

const policyValue: Reader<PolicyValueSpec> = (value, place, source) => {
  if (!isScalar(value)) {
    if (isMap(value)) source.log.report(source.at(value), 'sql_is_map', { ...place })
    else wrongType(value, place, 'text, numbers, true, false or null', source)
    return undefined
  }
  if (typeof value.value !== 'string') {
    return { kind: 'literal', value: value.value === null ? null : String(value.value) }
  }
  const parts = readTemplate(value.value, value, place, source)
  if (!parts) return undefined
  return parts.every(part => typeof part === 'string')
    ? { kind: 'literal', value: parts.join('') }
    : { kind: 'template', parts }
}

/** A list of values, or one of them. */
const policyValues: Reader<readonly PolicyValueSpec[]> = (value, place, source) => {
  if (!isList(value)) {
    const read = policyValue(value, place, source)
    return read && [read]
  }
  const read = value.items.map(item => policyValue(item, place, source))
  return read.every(item => item !== undefined) ? read : undefined
}

const policyFilter =
  (depth: number): Reader<PolicyFilterSpec> =>
  (value, place, source) => {
    if (!isMap(value))
      return wrongType(value, place, "a list of maps with 'member' and 'operator', 'and' or 'or'", source)
    const of = `a row filter of ${place.of}`
    if (depth > filterDepthLimit) return wrongType(value, place, `nested at most ${filterDepthLimit} deep`, source)
    const kind = (['and', 'or'] as const).find(name => value.entries.some(entry => entry.name === name))
    if (kind) {
      const filters = optional(listOf(policyFilter(depth + 1)))
      const isSound = watchProblems(source)
      const read = readMap(value, of, { fields: { [kind]: filters } }, source)?.[kind]
      if (read && read.length > 0) return { kind, filters: read }
      if (isSound()) {
        source.log.report(source.at(value), 'policy_filters_empty', { of: place.of })
      }
      return undefined
    }
    const fields = { member: required(memberPath), operator: required(locatedText), values: optional(policyValues) }
    const isSound = watchProblems(source)
    const read = readMap(value, of, { fields }, source)
    if (!read || isSound()) return read && { kind: 'member', ...read }
    return { kind: 'member', ...withoutValues(read) }
  }

const rowLevel: Reader<PolicyFilterSpec | 'all'> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'filters' or 'allow_all'", source)
  const fields = { filters: optional(listOf(policyFilter(0))), allowAll: optional(yes, false) }
  const isSound = watchProblems(source)
  const read = readMap(value, `'row_level' of ${place.of}`, { fields }, source)
  if (!read) return undefined
  const { filters, allowAll } = read
  if (!isSound()) return filters ? { kind: 'and', filters } : undefined
  if (allowAll === (filters !== null)) {
    source.log.report(source.at(value), 'policy_rows', { of: place.of })
    return undefined
  }
  if (!filters) return 'all'
  if (filters.length > 0) return { kind: 'and', filters }
  source.log.report(source.at(value), 'policy_filters_empty', { of: place.of })
  return undefined
}

/** `false` would say nothing: what no policy allows is not shown. */
const yes: Reader<true> = (value, place, source) => {
  if (isScalar(value) && value.value === true) return true
  source.log.report(source.at(value), 'value_not_allowed', {
    ...place,
    value: isScalar(value) ? String(value.value) : describeNode(value),
    allowed: ['true'],
  })
  return undefined
}

/** The access policies of a cube or view, `of` them. */
export const accessPolicies: Reader<readonly AccessPolicySpec[]> = (value, place, source) => {
  const isSound = watchProblems(source)
  const read = listOf(accessPolicy)(value, place, source)
  if (read?.length !== 0 || !isSound()) return read
  source.log.report(source.at(value), 'policies_empty', { of: place.of })
  return undefined
}

const accessPolicy: Reader<AccessPolicySpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, 'a list of maps', source)
  const of = `an access policy of ${place.of}`
  const fields = {
    group: optional(groupNames),
    groups: optional(groupNames),
    role: optional(groupNames),
    conditions: optional(listOf(condition), []),
    memberLevel: optional(memberList),
    memberMasking: optional(memberList),
    rowLevel: optional(rowLevel, 'all'),
  }
  const isSound = watchProblems(source)
  const read = readMap(value, of, { fields }, source)
  if (!read) return undefined
  const { group, groups, role, conditions, memberLevel, memberMasking, rowLevel: rows } = read
  const kinds = [group, groups, role].flatMap(kind => (kind ? [kind] : []))
  if (isSound() && kinds.length !== 1) source.log.report(source.at(value), 'policy_kind', { of: place.of })
  else if (isSound() && memberMasking && !memberLevel) {
    source.log.report(source.at(value), 'policy_masking', { source: place.of.replace(/^(cube|view) '|'$/g, '') })
  }
  return { groups: kinds[0] ?? [], conditions, memberLevel, memberMasking, rows: rows === 'all' ? null : rows }
}
