import type { Report } from '@hedron/contract'
import type { Client } from '@hedron/contract/client'

/** All reports of a workbook, page after page. */
export async function readAllReports(
  api: Client,
  deploymentId: number,
  workbookId: number,
  signal: AbortSignal,
): Promise<readonly Report[]> {
  let reports: readonly Report[] = []
  let after: string | undefined
  do {
    const query = { workbookId, first: 1000, ...(after === undefined ? {} : { after }) }
    const { items, pageInfo } = await api.getReports({ params: { deploymentId }, query }, signal)
    reports = [...reports, ...items]
    after = pageInfo?.hasNextPage === true ? (pageInfo.endCursor ?? undefined) : undefined
  } while (after !== undefined)
  return reports
}
