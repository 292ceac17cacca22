import { queryError } from '../messages/query-messages.ts'
import { type Member, type ModelIndex, policiesOf, type Source } from '../resolve/model-index.ts'
import type { AccessPolicy, MemberList, RowRule } from '../shapes/access.ts'
import type { Masking } from '../shapes/model.ts'
import type { QueryContext } from '../shapes/query.ts'
import { evaluateExpression } from './evaluate-expression.ts'
import { defaultMask } from './masks.ts'
import { isNever, noRows, rowRule } from './policy-rows.ts'

/**
 * What one caller may see (contract/behaviour/data-model.md, section 8). Policies are evaluated for the cubes and views that are asked
 * about, once each.
 */
export interface CallerAccess {
  /** Whether it has policies and none is for this caller: it has no rows for him. */
  isDenied(source: Source): boolean
  /** Whether the caller may ask for the member. Of a source that is denied, none may be shown. */
  isShown(source: Source, member: Member): boolean
  /** How the member is shown where it isn't as it is; null: as it is. */
  maskingOf(source: Source, member: Member): Masking | null
  /** Whether it has policies at all; without, everybody sees everything of it. */
  isRestricted(source: Source): boolean
  /** Rows of the source that the caller may see when he asks for these of its members; null: all. */
  rowsOf(source: Source, members: readonly Member[]): RowRule | null
  readonly context: QueryContext
}

/** A policy that is for the caller. */
interface Granted {
  readonly policy: AccessPolicy
  /** Null: all rows. */
  readonly rows: RowRule | null
}

export const callerAccess = (index: ModelIndex, context: QueryContext): CallerAccess => new Access(index, context)

/** A class, since one is made for each query, and most queries touch no policy. */
class Access implements CallerAccess {
  readonly context: QueryContext
  readonly #index: ModelIndex
  #known: Map<Source, readonly Granted[]> | null = null

  constructor(index: ModelIndex, context: QueryContext) {
    this.context = context
    this.#index = index
  }

  isRestricted(source: Source): boolean {
    return this.#granted(source) !== null
  }

  isDenied(source: Source): boolean {
    return this.#granted(source)?.length === 0
  }

  isShown(source: Source, member: Member): boolean {
    const isGranted = this.#granted(source)?.some(({ policy }) => grants(policy, member)) ?? true
    const cube = this.#cubeOf(member)
    if (!isGranted || member.definition.kind !== 'segment' || cube === source) return isGranted
    return this.#maskingIn(cube, memberOf(cube, member)) === null
  }

  maskingOf(source: Source, member: Member): Masking | null {
    const own = this.#maskingIn(source, member)
    const cube = this.#cubeOf(member)
    if (cube === source) return own
    const inner = this.#maskingIn(cube, memberOf(cube, member))
    if (!own || !inner) return own ?? inner
    const except = own.except && inner.except && allOf([own.except, inner.except])
    return { mask: own.mask, except, ways: noWays }
  }

  rowsOf(source: Source, members: readonly Member[]): RowRule | null {
    const policies = this.#granted(source)
    if (!policies) return null
    if (members.length === 0) return anyOf(policies)
    const rules = members.map(member => anyOf(policies.filter(({ policy }) => grants(policy, member))))
    const distinct = new Map(rules.flatMap(rule => (rule ? [[JSON.stringify(rule), rule] as const] : [])))
    return distinct.size === 0 ? null : allOf([...distinct.values()])
  }

  /** Null: there are no policies. */
  #granted(source: Source): readonly Granted[] | null {
    const policies = policiesOf(source)
    if (policies.length === 0) return null
    this.#known ??= new Map()
    const found = this.#known.get(source)
    if (found !== undefined) return found
    const { context } = this
    const result = policies
      .filter(policy => isFor(policy, source, context))
      .map(policy => ({ policy, rows: policy.rows && rowRule(policy.rows, source, context) }))
    this.#known.set(source, result)
    return result
  }

  #cubeOf({ cube }: Member): Source {
    const source = this.#index.sources.get(cube.name)
    if (!source) throw new Error(`The model has no cube '${cube.name}'`)
    return source
  }

  #maskingIn(source: Source, member: Member): Masking | null {
    const granting = this.#granted(source)?.filter(({ policy }) => shows(policy, member) || masks(policy, member)) ?? []
    if (!granting.some(({ policy }) => !shows(policy, member))) return null
    const full = granting.filter(({ policy }) => shows(policy, member))
    if (full.some(({ rows }) => rows === null)) return null
    const seen = full.filter(({ rows }) => rows !== null && !isNever(rows))
    const mask = member.definition.kind === 'segment' ? null : member.definition.mask
    return {
      mask: mask ?? defaultMask(member, this.context.defaultMasks ?? {}),
      except: seen.length > 0 ? anyOf(seen) : null,
      ways: noWays,
    }
  }
}

/** Which they are depends on the member as it is asked for. */
const noWays: Masking['ways'] = { except: [], mask: [] }

function memberOf(cube: Source, { definition }: Member): Member {
  const member = cube.members.get(definition.name)
  if (!member) throw new Error(`The cube '${cube.name}' has no member '${definition.name}'`)
  return member
}

/** Rows that any of the policies lets pass; null: all. */
function anyOf(policies: readonly Granted[]): RowRule | null {
  const rules = policies.flatMap(({ rows }) => (rows ? [rows] : []))
  if (rules.length < policies.length) return null
  const [only] = rules
  return only && rules.length === 1 ? only : rules.length === 0 ? noRows : { kind: 'or', rules }
}

function allOf(rules: readonly RowRule[]): RowRule {
  const [only] = rules
  return only && rules.length === 1 ? only : { kind: 'and', rules }
}

function isFor(policy: AccessPolicy, source: Source, context: QueryContext): boolean {
  if (!policy.groups.some(group => group === '*' || context.groups.includes(group))) return false
  return policy.conditions.every(condition => {
    const value = evaluateExpression(condition, context) ?? false
    if (typeof value === 'boolean') return value
    throw queryError('policy_condition', { source: source.name, value })
  })
}

const shows = ({ shown }: AccessPolicy, member: Member) =>
  shown === null || member.definition.isAdHoc === true || has(shown, member)
const masks = ({ masked }: AccessPolicy, member: Member) => masked !== null && has(masked, member)

/** A segment shows nothing that could be masked, and to choose rows by it would tell what it is about. */
const grants = (policy: AccessPolicy, member: Member) =>
  shows(policy, member) || (member.definition.kind !== 'segment' && masks(policy, member))

/** The address of a link is part of its dimension. */
function has({ includes, excludes }: MemberList, { id, definition }: Member): boolean {
  const written = id.slice(id.indexOf('.') + 1)
  const isAddress = definition.kind === 'dimension' && definition.isSynthetic
  const name = isAddress ? (written.split('___link_')[0] ?? written) : written
  const lists = (names: '*' | readonly string[]) =>
    names === '*' || names.includes(name) || (isAddress && names.includes(written))
  return lists(includes) && !lists(excludes)
}
