import * as z from 'zod'
import { Id } from './common.ts'
import { DashboardConfig } from './dashboard-config.ts'
import { FillMissingRows, PeriodComparison, ReportKind, ReportPreferences } from './report-meta.ts'

/** A report as it was when the dashboard was published. Holds no rows: the viewer asks for those with a token of their own. */
export const ReportSnapshot = z
  .object({
    id: Id.meta({ description: 'Of the snapshot; reportVersionId elsewhere.' }),
    reportId: Id.meta({ description: 'The report it was made of, which may have changed or be gone since.' }),
    versionNumber: z.int().meta({ description: "The report's version at that moment." }),
    name: z.string().nullish(),
    title: z.string().nullish(),
    description: z.string().nullish(),
    kind: ReportKind.nullish(),
    spec: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    jsonQuery: z.string().nullish().meta({ description: 'A query of the data API, as JSON text.' }),
    sqlQuery: z.string().nullish(),
    pivotItems: z.record(z.string(), z.unknown()).nullish(),
    pythonCode: z.string().nullish().meta({ description: 'Null in embed sessions.' }),
    meta: z.record(z.string(), z.unknown()).nullish(),
    preferences: ReportPreferences.nullish(),
    fillMissingRows: FillMissingRows.nullish(),
    periodComparisons: z.array(PeriodComparison).nullish(),
    isSourceReport: z.boolean().nullish(),
  })
  .meta({ id: 'ReportSnapshot' })
export type ReportSnapshot = z.infer<typeof ReportSnapshot>

export const Dashboard = z
  .object({
    id: Id,
    publicId: z.string(),
    deploymentId: Id,
    workbookId: Id,
    status: z.enum(['draft', 'published', 'archived']),
    allowEmbed: z.boolean().meta({ description: 'Whether signed embed sessions may read it.' }),
    title: z.string().nullish(),
    description: z.string().nullish(),
    config: DashboardConfig,
    versionId: Id,
    versionNumber: z.int().min(1),
    reportSnapshots: z.array(ReportSnapshot),
    createdBy: Id.nullish(),
    fromSharedWorkspace: z.boolean().nullish(),
    restrictDataDownload: z.boolean().nullish(),
    useBoardDashboards: z.boolean().nullish(),
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof Dashboard>

export const UpdateDashboardEmbeddingInput = z
  .strictObject({ allowEmbed: z.boolean() })
  .meta({ id: 'UpdateDashboardEmbeddingInput' })
export const DashboardEmbeddingResponse = z
  .object({ publicId: z.string(), allowEmbed: z.boolean() })
  .meta({ id: 'DashboardEmbeddingResponse' })

export const EmbedPythonFilteredRunInput = z
  .strictObject({ reportId: Id, reportVersionId: Id, sqlQuery: z.string().max(100_000) })
  .meta({ id: 'EmbedPythonFilteredRunInput' })
export const PythonAnalysisFilteredRun = z
  .object({
    at: z.string(),
    stdout: z.string(),
    stderr: z.string(),
    inputRowCount: z.int(),
    outputData: z.unknown(),
    executionError: z.string().nullish(),
  })
  .meta({ id: 'PythonAnalysisFilteredRun' })
