import { describeModel, type Model, type QueryContext } from '@hedron/semantic'
import type { AnalystCube, AnalystMember, AnalystModel } from '../../src/index.ts'

interface Described {
  readonly name: string
  readonly title: string
  readonly shortTitle: string
  readonly description?: string
  readonly meta?: unknown
}

/** What an asker with all rights sees, as the platform makes it of `/v1/meta`. */
export function visibleModel(model: Model, context: QueryContext): AnalystModel {
  return {
    cubes: describeModel(model, context).map((cube): AnalystCube => {
      const measures = cube.measures.map(member => ({
        ...common(member),
        kind: 'measure' as const,
        type: typeOf(member.type),
        aggType: member.aggType,
        format: textOf(member.format),
        currency: member.currency ?? null,
      }))
      const dimensions = cube.dimensions.map(member => ({
        ...common(member),
        kind: 'dimension' as const,
        type: typeOf(member.type),
        format: textOf(member.format),
        currency: member.currency ?? null,
        primaryKey: member.primaryKey,
        granularities: (member.granularities ?? []).map(({ name }) => name),
      }))
      const segments = cube.segments.map(member => ({
        ...common(member),
        kind: 'segment' as const,
        type: 'boolean' as const,
      }))
      return {
        name: cube.name,
        type: cube.type,
        title: cube.title,
        description: cube.description ?? null,
        aiContext: null,
        joins: cube.type === 'cube' ? joinsOf(model, cube.name) : [],
        members: [...measures, ...dimensions, ...segments],
      }
    }),
  }
}

function common(member: Described): Omit<AnalystMember, 'kind' | 'type'> {
  const meta = isRecord(member.meta) ? member.meta : {}
  const hints = isRecord(meta.ai_context) ? meta.ai_context : {}
  const synonyms = Array.isArray(meta.synonyms) ? meta.synonyms : hints.synonyms
  return {
    name: member.name,
    title: member.title,
    shortTitle: member.shortTitle,
    description: member.description ?? null,
    aiContext: textOf(meta.ai_context),
    synonyms: Array.isArray(synonyms) ? synonyms.filter(each => typeof each === 'string') : [],
    aggType: null,
    format: null,
    currency: null,
    primaryKey: false,
    granularities: [],
    values: null,
  }
}

function joinsOf({ cubes }: Model, name: string): string[] {
  const reached = new Set([name])
  for (const each of reached) {
    for (const { target } of cubes.find(cube => cube.name === each)?.joins ?? []) reached.add(target)
  }
  return [...reached].filter(each => each !== name)
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function typeOf(type: string): AnalystMember['type'] {
  return type === 'number' || type === 'time' || type === 'boolean' || type === 'geo' ? type : 'string'
}
