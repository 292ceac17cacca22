import * as z from 'zod'
import type { VisibleMember, VisibleModel } from '../visible-model.ts'
import { createModelSearch, type FoundCube, type ModelSearch } from './search-model.ts'
import { ToolError } from './tool-error.ts'

const Input = z.looseObject({ searchQuery: z.string().max(10_000) })

/** Characters of a description that the result holds; the model itself has the rest. */
const longestDescription = 300

/**
 * `serviceMeta` (SPEC, "Tool calls"): what of the asker's model a text speaks of. Each member has its name, title, description, type,
 * and its aggregation if it is a measure; words that the model's author has for agents stand with the description.
 */
export function createServiceMeta() {
  const searches = new WeakMap<VisibleModel, ModelSearch>()

  /** @throws {ToolError} for input that is none */
  return (model: VisibleModel, input: unknown): object => {
    const { success, data } = Input.safeParse(input)
    if (!success) throw new ToolError('serviceMeta takes {"searchQuery": "<words to look for>"}')
    const search = searches.get(model) ?? createModelSearch(model)
    searches.set(model, search)
    return { cubes: search(data.searchQuery).map(showFound), searchQuery: data.searchQuery }
  }
}

const showFound = ({ cube: { name, type, title }, members }: FoundCube) => ({
  name,
  type,
  title,
  members: members.map(showMember),
})

function showMember({ name, title, description, aiContext, synonyms, type, kind, aggType, values }: VisibleMember) {
  const words = [
    description,
    aiContext,
    synonyms.length > 0 ? `Also called ${synonyms.join(', ')}.` : null,
    values === null ? null : `One of ${values.map(value => JSON.stringify(value)).join(', ')}.`,
    kind === 'segment' ? 'A segment: true for the rows that are part of it.' : null,
  ].filter(text => text !== null)
  return {
    name,
    title,
    description: shorten(words.join(' ')),
    type,
    ...(aggType === null ? {} : { aggType }),
  }
}

const shorten = (text: string) =>
  text.length > longestDescription ? `${text.slice(0, longestDescription - 1)}…` : text
