import * as z from 'zod'
import type { DataCallers } from '../../asker/data-callers.ts'
import type { ChatTools } from '../../tools/chat-tools.ts'
import { createModelSearch, type FoundCube, type ModelSearch } from '../../tools/search-model.ts'
import type { VisibleMember, VisibleModel } from '../../visible-model.ts'
import type { McpSessions } from '../mcp-session.ts'
import { type McpTool, mcpTool, placeInput } from '../mcp-tool.ts'

interface SearchNeed {
  readonly sessions: McpSessions
  readonly dataCallers: DataCallers
  readonly tools: ChatTools
}

const usualLimit = 50
/** Members that are listed, of all views together and of one: what is longer is searched for. */
const bounds = { members: 1_000, membersOfCube: 200 } as const
const longestText = 300

export function searchDataModelTool({ sessions, dataCallers, tools }: SearchNeed): McpTool {
  const searches = new WeakMap<VisibleModel, ModelSearch>()
  return mcpTool({
    name: 'searchDataModel',
    title: 'Search the data model',
    description:
      'Finds views and cubes with their measures, dimensions and times by words of a question; without a query it lists what there is. Only names that it gives can be used in runQuery.',
    input: z.strictObject({
      query: z.string().max(10_000).optional().describe('Words to look for, such as: revenue by city'),
      limit: z.int().min(1).max(200).optional().describe(`Views to give at most; default ${usualLimit}.`),
      ...placeInput,
    }),
    async call(session, { query = '', limit = usualLimit, ...wanted }, { signal }) {
      const { deployment, branchName } = await sessions.place(session, wanted)
      const { accountId } = session.caller
      const at = { accountId, deploymentId: deployment.id, branchName }
      const user = { branchName, dataCaller: () => dataCallers.ofCaller(session.caller, at) }
      const model = await tools.visibleModel(user, signal)
      const search = searches.get(model) ?? createModelSearch(model)
      searches.set(model, search)
      const found = search(query, { cubes: limit, ...bounds })
      return { branchName, views: found.map(showFound) }
    },
  })
}

const showFound = ({ cube, members }: FoundCube) => ({
  name: cube.name,
  kind: cube.type,
  title: cube.title,
  description: shorten([cube.description, cube.aiContext].filter(text => text !== null).join(' ')),
  members: members.map(showMember),
  // Members that the search left out: a narrower query shows them.
  ...(members.length < cube.members.length ? { otherMembers: cube.members.length - members.length } : {}),
})

function showMember({ name, title, kind, type, description, aiContext, synonyms, values }: VisibleMember) {
  const words = [
    description,
    aiContext,
    synonyms.length > 0 ? `Also called ${synonyms.join(', ')}.` : null,
    values === null ? null : `One of ${values.map(value => JSON.stringify(value)).join(', ')}.`,
  ].filter(text => text !== null)
  return {
    name,
    title,
    type: kind === 'dimension' && type === 'time' ? 'time' : kind,
    ...(words.length > 0 ? { description: shorten(words.join(' ')) } : {}),
  }
}

const shorten = (text: string) => (text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text)
