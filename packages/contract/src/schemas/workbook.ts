import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { FolderPathEntry, ResourceOwner } from './content.ts'
import { Dashboard } from './dashboard.ts'
import { DashboardConfig, DashboardConfigDraftInput, DashboardConfigInput } from './dashboard-config.ts'
import { limits } from './dashboard-rules.ts'
import { listOf } from './page.ts'

const name = z.string().trim().min(1).max(255)
/** As clients of the field say it, 0 is the workspace's root too. */
const Folder = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Trimmed and in lower case: two that differ in case are one. */
export const Slug = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(128)
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N}._~-]*[\p{L}\p{N}])?$/u, 'must be letters and digits with . _ ~ - between them')

export const WorkbookMeta = z
  .looseObject({ dashboardDraft: DashboardConfigDraftInput.nullish() })
  .refine(meta => JSON.stringify(meta).length <= 2 * limits.text, { message: 'must be at most 2 MiB of JSON' })
export type WorkbookMeta = z.infer<typeof WorkbookMeta>

export const Workbook = z
  .object({
    id: Id,
    deploymentId: Id,
    type: z.enum(['FOLDER', 'WORKBOOK', 'REPORT']),
    name: z.string(),
    slug: z.string().nullish(),
    meta: z.record(z.string(), z.unknown()),
    calculatedFields: z.record(z.string(), z.unknown()),
    folderId: Id.nullish(),
    folderPath: z.array(FolderPathEntry).optional(),
    user: ResourceOwner.nullish().meta({
      description: 'Who owns it; null where it is shared from the main workspace with an embed session.',
    }),
    userId: Id.nullish(),
    createdBy: Id.optional(),
    isFavorite: z.boolean().nullish(),
    dashboardDraft: DashboardConfig.nullish().meta({ description: 'Lists leave it out: it is in meta.' }),
    dashboardPublished: DashboardConfig.nullish().meta({ description: 'Lists leave it out.' }),
    publishedDashboard: Dashboard.nullish().meta({ description: 'Lists leave it out.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Workbook' })
export type Workbook = z.infer<typeof Workbook>

export const WorkbooksListResponse = listOf(Workbook)
  .extend({
    count: z.int().min(0).nullish().meta({
      deprecated: true,
      description: 'All that the caller sees of what was asked for, however it is paged.',
    }),
  })
  .meta({ id: 'WorkbooksListResponse' })

export const CreateWorkbookInput = z
  .strictObject({ name: name.nullish(), folderId: Folder.nullish(), meta: WorkbookMeta.nullish() })
  .meta({ id: 'CreateWorkbookInput' })
export type CreateWorkbookInput = z.infer<typeof CreateWorkbookInput>

export const UpdateWorkbookInput = z
  .strictObject({
    name: name.nullish(),
    folderId: Folder.nullish().meta({ description: 'Moves it there; null: to the root of the workspace.' }),
    meta: WorkbookMeta.nullish().meta({ description: 'Replaces all of it.' }),
    slug: Slug.nullish().meta({ description: 'Null takes it away.' }),
    slugTakeover: z.boolean().nullish().meta({ description: 'Take the slug from the workbook that has it.' }),
  })
  .meta({ id: 'UpdateWorkbookInput' })
export type UpdateWorkbookInput = z.infer<typeof UpdateWorkbookInput>

export const DuplicateWorkbookInput = z
  .strictObject({ shared: z.boolean().nullish() })
  .meta({ id: 'DuplicateWorkbookInput' })

export const WorkbookDashboardInput = z
  .strictObject({ dashboardDraft: DashboardConfigDraftInput.nullish() })
  .meta({ id: 'WorkbookDashboardInput' })
export const WorkbookDashboard = z
  .object({ dashboardDraft: DashboardConfig.nullish(), dashboardPublished: DashboardConfig.nullish() })
  .meta({ id: 'WorkbookDashboard' })

export const PublishDashboardInput = z
  .strictObject({
    workbookId: Id,
    config: DashboardConfigInput.nullish().meta({ description: 'What to publish; absent: the saved draft.' }),
    title: z.string().max(limits.title).nullish(),
    description: z.string().max(limits.description).nullish(),
    allowEmbed: z.boolean().nullish(),
    dashboardId: Id.nullish(),
  })
  .meta({ id: 'PublishDashboardInput' })
export type PublishDashboardInput = z.infer<typeof PublishDashboardInput>

export const UpdatePublishedAiWidgetThreadInput = z
  .strictObject({
    widgetId: z.string().min(1).max(limits.widgetId),
    threadId: z.string().min(1).max(255),
    checksum: z.string().max(255).nullish(),
  })
  .meta({ id: 'UpdatePublishedAiWidgetThreadInput' })

const EmbedAction = z.enum(['read', 'none'])

export const EmbedAccessResponse = z
  .object({
    allowEmbed: z.boolean(),
    allEmbedUsers: z
      .object({ enabled: z.boolean(), action: EmbedAction, groupId: Id.nullish() })
      .meta({ id: 'EmbedAccessAllEmbedUsers' }),
    tenants: z.array(
      z
        .object({ embedTenantName: z.string(), groupId: Id, action: EmbedAction })
        .meta({ id: 'EmbedAccessTenantEntry' }),
    ),
  })
  .meta({ id: 'EmbedAccessResponse' })
export type EmbedAccessResponse = z.infer<typeof EmbedAccessResponse>

export const UpdateEmbedAccessInput = z
  .strictObject({
    embedTenantName: z.string().min(1).max(255).nullish(),
    allEmbedUsers: z.boolean().nullish(),
    action: EmbedAction.nullish(),
    allowEmbed: z.boolean().nullish(),
  })
  .meta({ id: 'UpdateEmbedAccessInput' })
export type UpdateEmbedAccessInput = z.infer<typeof UpdateEmbedAccessInput>

export const EmbedTenantWorkbooksListResponse = listOf(Workbook).meta({ id: 'EmbedTenantWorkbooksListResponse' })
