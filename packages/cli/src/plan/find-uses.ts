import type { ModelPlan } from '@hedron/contract'
import type { Client } from '@hedron/contract/client'
import { fieldOf, isRecord, parseJson } from '../framework/json.ts'

/** A saved query that uses something which changes. */
export interface UsingReport {
  readonly id: number
  readonly name: string
  readonly workbookId: number | null
  /** What of it changes. */
  readonly members: readonly string[]
  /** Whether it uses something that is removed. */
  readonly breaks: boolean
  /** Null where it is a statement of SQL. */
  readonly query: unknown
}

export interface UsingDashboard {
  readonly workbookId: number
  readonly name: string
  readonly reportIds: readonly number[]
}

/** Reports that use members which change, of those that the caller can see. */
export async function findReports(
  client: Client,
  deploymentId: number,
  { members }: Pick<ModelPlan, 'members'>,
): Promise<readonly UsingReport[]> {
  const touched = new Set([...members.changed, ...members.removed, ...members.affected])
  const removed = new Set(members.removed)
  if (touched.size === 0) return []
  const found: UsingReport[] = []
  for (let after: string | undefined; ; ) {
    const query = { first: 1_000, ...(after === undefined ? {} : { after }) }
    const { items, pageInfo } = await client.getReports({ params: { deploymentId }, query })
    for (const { id, name, workbookId, jsonQuery, sqlQuery } of items) {
      const parsed = jsonQuery === null ? null : (parseJson(jsonQuery) ?? null)
      const names = parsed === null ? namesInText(sqlQuery ?? '') : namesIn(parsed)
      const used = [...touched].filter(member => isUsed(member, names)).sort()
      if (used.length === 0) continue
      const breaks = used.some(member => removed.has(member))
      found.push({ id, name: name ?? '', workbookId, members: used, breaks, query: parsed })
    }
    if (!pageInfo?.hasNextPage || pageInfo.endCursor == null) return found.sort((a, b) => a.id - b.id)
    after = pageInfo.endCursor
  }
}

/** Dashboards, drafts and published ones, that show one of the reports. */
export async function findDashboards(
  client: Client,
  deploymentId: number,
  reports: readonly UsingReport[],
): Promise<readonly UsingDashboard[]> {
  const ids = new Set(reports.map(({ id }) => id))
  const workbooks = [...new Set(reports.flatMap(({ workbookId }) => (workbookId === null ? [] : [workbookId])))]
  const found: UsingDashboard[] = []
  for (const workbookId of workbooks) {
    const workbook = await client.getWorkbook({ params: { deploymentId, workbookId } })
    const shown = [...new Set(reportIdsIn([workbook.dashboardDraft, workbook.dashboardPublished]))]
    const reportIds = shown.filter(id => ids.has(id))
    if (reportIds.length > 0) found.push({ workbookId, name: workbook.name ?? '', reportIds })
  }
  return found
}

/** A cube or view that changes as a whole touches the queries of all its members. */
const isUsed = (member: string, names: ReadonlySet<string>): boolean =>
  names.has(member) || (!member.includes('.') && [...names].some(name => name.startsWith(`${member}.`)))

/** Every text in a query that may name a member; a granularity after it (`orders.created_at.month`) is left out too. */
function namesIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (item: unknown): void => {
    if (typeof item === 'string') {
      found.add(item)
      found.add(item.split('.').slice(0, 2).join('.'))
    } else if (Array.isArray(item)) {
      for (const inner of item) visit(inner)
    } else if (isRecord(item)) {
      for (const [key, inner] of Object.entries(item)) {
        found.add(key)
        visit(inner)
      }
    }
  }
  visit(value)
  return found
}

/** `view.member` as it stands in a statement; the names of views alone stand for all of them, since `*` may be selected. */
function namesInText(statement: string): ReadonlySet<string> {
  const words = statement.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []
  return new Set(words.flatMap(word => [`${word}.`, word]))
}

function reportIdsIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.flatMap(reportIdsIn)
  if (!isRecord(value)) return []
  const own = fieldOf(value, 'reportId')
  return [...(typeof own === 'number' ? [own] : []), ...Object.values(value).flatMap(reportIdsIn)]
}
