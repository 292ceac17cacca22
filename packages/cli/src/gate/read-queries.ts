import type { Client } from '@hedron/contract/client'
import { readText } from '../commands/shared/read-text.ts'
import type { NamedQuery } from '../compare/compare-queries.ts'
import type { Effects } from '../effects.ts'
import { Failure } from '../framework/failure.ts'
import { isRecord, parseJson } from '../framework/json.ts'

/**
 * Named queries of the data API: a JSON object of name to query, or a list of `{ name, query }`; from a file, or `-`.
 *
 * @throws {Failure} `data_invalid`, `file_unreadable`
 */
export async function readQueries(source: string, effects: Pick<Effects, 'readInput'>): Promise<readonly NamedQuery[]> {
  const invalid = (reason: string) => new Failure('data_invalid', { option: '--queries', reason })
  const text = await readText(source === '-' ? '-' : `@${source}`, effects)
  const document = parseJson(text)
  if (document === undefined) throw invalid('is not valid JSON')
  const entries = Array.isArray(document)
    ? document.map((item): [unknown, unknown] => (isRecord(item) ? [item.name, item.query] : [undefined, undefined]))
    : isRecord(document)
      ? Object.entries(document)
      : []
  if (entries.length === 0) throw invalid('holds no queries')
  const queries = entries.map(([name, query]) => {
    const isQuery = isRecord(query) || Array.isArray(query)
    if (typeof name !== 'string' || name.trim() === '' || !isQuery) {
      throw invalid('must be an object of names to queries, or a list of { "name", "query" }')
    }
    return { name, query }
  })
  const names = queries.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(`names two queries '${twice}'`)
  return queries
}

/** The queries of all saved reports that the caller can see and that are no statements of SQL. */
export async function readReportQueries(client: Client, deploymentId: number): Promise<readonly NamedQuery[]> {
  const queries: NamedQuery[] = []
  for (let after: string | undefined; ; ) {
    const query = { first: 1_000, ...(after === undefined ? {} : { after }) }
    const { items, pageInfo } = await client.getReports({ params: { deploymentId }, query })
    for (const { id, name, jsonQuery } of items) {
      const parsed = jsonQuery === null ? undefined : parseJson(jsonQuery)
      if (isRecord(parsed) || Array.isArray(parsed))
        queries.push({ name: `report ${id} ${name ?? ''}`.trim(), query: parsed })
    }
    if (!pageInfo?.hasNextPage || pageInfo.endCursor == null) return queries
    after = pageInfo.endCursor
  }
}
