import { createHash } from 'node:crypto'
import type { MetaCube, Model } from '@hedron/semantic'
import { LRUCache } from 'lru-cache'
import type { DataCaller } from '../../queries/data-caller.ts'
import type { ShownCubes } from '../../queries/operations/shown-cubes.ts'
import type { VisibleCube, VisibleMember, VisibleModel } from '../visible-model.ts'
import { wordsForAgents } from './agent-words.ts'

/** Different sets of members that callers of one model may see, each of which is kept; there are about as many as policies. */
const keptSets = 50

/**
 * Gives the model as a caller may see it: what `/v1/meta` shows him, with what its author tells agents. Callers who see the same of
 * one model get the same object, so that what was made of it can be remembered by it.
 */
export function createShowModel(shownCubes: (caller: DataCaller) => Promise<ShownCubes>) {
  const known = new WeakMap<Model, LRUCache<string, VisibleModel>>()

  return async (caller: DataCaller): Promise<VisibleModel> => {
    const { model, cubes } = await shownCubes(caller)
    const ofModel = known.get(model) ?? new LRUCache<string, VisibleModel>({ max: keptSets })
    known.set(model, ofModel)
    const key = keyOf(cubes)
    const remembered = ofModel.get(key)
    if (remembered) return remembered
    const values = switchValues(model)
    const joins = joinsOf(model, new Set(cubes.map(({ name }) => name)))
    const made: VisibleModel = { cubes: cubes.map(cube => showCube(cube, values, joins)) }
    ofModel.set(key, made)
    return made
  }
}

/** Which members there are: the rest of their descriptions is the model's, the same for every caller. */
function keyOf(cubes: readonly MetaCube[]): string {
  const hash = createHash('sha256')
  for (const { name, measures, dimensions, segments } of cubes) {
    hash.update(`${name}\n`)
    for (const member of [...measures, ...dimensions, ...segments]) hash.update(`${member.name}\n`)
  }
  return hash.digest('base64')
}

function showCube(
  cube: MetaCube,
  values: ReadonlyMap<string, readonly string[]>,
  joins: ReadonlyMap<string, readonly string[]>,
): VisibleCube {
  const { name, type, title, description, meta, measures, dimensions, segments } = cube
  return {
    name,
    type,
    title,
    description: description ?? null,
    // What stands at a cube is not for agents (contract/behaviour/data-model.md, cube `meta`).
    aiContext: type === 'view' ? wordsForAgents(meta).context : null,
    joins: type === 'cube' ? (joins.get(name) ?? []) : [],
    members: [
      ...measures.map(measure => showMember(measure, 'measure', null)),
      ...dimensions
        .filter(dimension => dimension.synthetic !== true)
        .map(dimension =>
          showMember(dimension, 'dimension', values.get(dimension.aliasMember ?? dimension.name) ?? null),
        ),
      ...segments.map(segment => showMember({ ...segment, type: 'boolean' }, 'segment', null)),
    ],
  }
}

type ShownMember = Pick<MetaCube['segments'][number], 'name' | 'title' | 'shortTitle' | 'description' | 'meta'> & {
  readonly type: string
  readonly aggType?: string
  readonly format?: MetaCube['measures'][number]['format']
  readonly currency?: string
  readonly primaryKey?: boolean
  readonly granularities?: readonly { readonly name: string }[]
}

function showMember(member: ShownMember, kind: VisibleMember['kind'], values: readonly string[] | null): VisibleMember {
  const { name, title, shortTitle, description, meta, aggType, format, currency, primaryKey, granularities } = member
  const { context, synonyms } = wordsForAgents(meta)
  return {
    name,
    title,
    shortTitle,
    description: description ?? null,
    aiContext: context,
    synonyms,
    kind,
    type: valueType(member.type),
    aggType: aggType ?? null,
    format: typeof format === 'string' ? format : null,
    currency: currency ?? null,
    primaryKey: primaryKey ?? false,
    granularities: (granularities ?? []).map(granularity => granularity.name),
    values,
  }
}

/** What is none of the others is shown as text, as measures of type `string` are. */
const valueType = (type: string): VisibleMember['type'] =>
  type === 'number' || type === 'time' || type === 'boolean' || type === 'geo' ? type : 'string'

/** Values of the dimensions, by `cube.dimension`, whose values the model itself says. */
const switchValues = (model: Model): ReadonlyMap<string, readonly string[]> =>
  new Map(
    model.cubes.flatMap(({ name: cube, dimensions }) =>
      dimensions.flatMap(({ name, expression }) =>
        expression.kind === 'switch' ? [[`${cube}.${name}`, expression.values] as const] : [],
      ),
    ),
  )

/** The shown cubes that each cube's joins lead to, nearest first. A cube that is not shown is passed through and not named. */
function joinsOf({ cubes }: Model, shown: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const targets = new Map(cubes.map(({ name, joins }) => [name, joins.map(join => join.target)] as const))
  return new Map(
    [...shown].map(name => {
      // A set is walked in the order in which it grows.
      const reached = new Set([name])
      for (const each of reached) for (const target of targets.get(each) ?? []) reached.add(target)
      return [name, [...reached].filter(other => other !== name && shown.has(other))] as const
    }),
  )
}
