import * as z from 'zod'
import { AppTheme, AppThemeInput } from './app-theme.ts'
import { Locale, Origin, TimeZone } from './checked-text.ts'

const Flag = z.boolean().nullish()
const weekdays = 'sunday|monday|tuesday|wednesday|thursday|friday|saturday'

export const EmbedSettingsInput = z
  .strictObject({
    allowAi: Flag.meta({ description: 'Whether embed sessions may use language models at all. Default true.' }),
    showDashboardChat: Flag.meta({ description: 'Chat on embedded dashboards. Default true.' }),
    showWorkbookChat: Flag.meta({ description: 'Chat in the embedded workspace. Default true.' }),
    showAiWidgets: Flag.meta({ description: 'AI summary widgets. Default true.' }),
    enableDashboardComments: Flag.meta({ description: 'Comments on embedded dashboards. Default false.' }),
    locale: Locale.nullish().meta({ description: 'Default en-US.' }),
    timezone: TimeZone.nullish().meta({ description: 'Default: the time zone of the account.' }),
    allowedOrigins: z
      .array(Origin)
      .max(100)
      .nullish()
      .meta({ description: 'Sites that may show embedded pages in a frame; empty: none. Default null: any site.' }),
  })
  .meta({ id: 'EmbedSettingsInput' })

export const EmbedSettings = z
  .object({
    allowAi: z.boolean(),
    showDashboardChat: z.boolean(),
    showWorkbookChat: z.boolean(),
    showAiWidgets: z.boolean(),
    enableDashboardComments: z.boolean(),
    locale: z.string(),
    timezone: z.string().nullable(),
    allowedOrigins: z.array(z.string()).nullable(),
  })
  .meta({ id: 'EmbedSettings' })
export type EmbedSettings = z.infer<typeof EmbedSettings>

const LocalizedValue = z.strictObject({ locale: Locale, value: z.string().max(1000) }).meta({ id: 'LocalizedValue' })

const CreatorModeInput = z
  .strictObject({
    showWorkspaceTitle: Flag,
    workspaceTitle: z.string().trim().max(1000).nullish(),
    localizedTitles: z.array(LocalizedValue).max(50).nullish(),
    showGeneratedSql: Flag.meta({ description: 'Default false.' }),
    showSemanticSql: Flag.meta({ description: 'Default true.' }),
  })
  .meta({ id: 'CreatorModeInput' })

const CreatorMode = z
  .object({
    showWorkspaceTitle: z.boolean(),
    workspaceTitle: z.string().nullable(),
    localizedTitles: z.array(LocalizedValue),
    showGeneratedSql: z.boolean(),
    showSemanticSql: z.boolean(),
  })
  .meta({ id: 'CreatorMode' })

const TimezoneSettingsInput = z
  .strictObject({
    enabled: Flag.meta({ description: 'Whether users and sessions have time zones of their own. Default true.' }),
    allowUserOverride: Flag.meta({ description: 'Default true.' }),
    timezone: TimeZone.nullish().meta({ description: 'Of the account. Default: that of the deployment.' }),
  })
  .meta({ id: 'TimezoneSettingsInput' })

const TimezoneSettings = z
  .object({ enabled: z.boolean(), allowUserOverride: z.boolean(), timezone: z.string().nullable() })
  .meta({ id: 'TimezoneSettings' })

const SheetsUiSettings = z.object({ showAppliedFilters: z.boolean() }).meta({ id: 'SheetsUiSettings' })

/** What every caller may know of the account's settings. */
export const AppConfigResponse = z
  .object({
    appTheme: AppTheme.nullable(),
    applyThemeGlobally: z.boolean(),
    creatorMode: CreatorMode,
    embedding: EmbedSettings,
    restrictDataDownload: z.boolean(),
    sheetsAgentChatEnabled: z.boolean(),
    sheetsUi: SheetsUiSettings,
    timezoneSettings: TimezoneSettings,
  })
  .meta({ id: 'AppConfigResponse' })
export type AppConfig = z.infer<typeof AppConfigResponse>

/** All settings of an account, complete. */
export const TenantSettings = AppConfigResponse.extend({
  auditLogEnabled: z.boolean(),
  auditLogEnabledCurrent: z.boolean(),
  auditLogEnabledTimestamp: z.int().meta({ description: 'Since when the audit log is written, in Unix milliseconds.' }),
  hasSupportAccess: z.boolean(),
  useAIBIUserInterface: z.boolean(),
  maintenanceWindowEnabled: z.boolean(),
  maintenanceWindowDay: z.string(),
  maintenanceWindowTime: z.string(),
  oidcEnabled: z.boolean(),
  embeddingEnabled: z.boolean(),
  useCreatorMode: z.boolean(),
  externalUserLimit: z.int(),
}).meta({ id: 'TenantSettings' })
export type TenantSettings = z.infer<typeof TenantSettings>

const inputShape = {
  auditLogEnabled: Flag.meta({ description: 'The audit log is always written; false is refused.' }),
  hasSupportAccess: Flag.meta({ description: 'Kept for operators; it gives nobody access by itself.' }),
  useAIBIUserInterface: Flag.meta({ description: 'Kept for clients.' }),
  maintenanceWindowEnabled: Flag.meta({ description: 'Kept for operators; Hedron never restarts by itself.' }),
  maintenanceWindowDay: z
    .string()
    .trim()
    .regex(new RegExp(`^(?:${weekdays})$`, 'i'), 'must be a day of the week, such as Sunday')
    .nullish(),
  maintenanceWindowTime: z
    .string()
    .trim()
    .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, 'must be a time in UTC, such as 02:00')
    .nullish(),
  oidcEnabled: Flag,
  embeddingEnabled: Flag.meta({ description: 'Whether signed embed sessions can be made and used. Default true.' }),
  useCreatorMode: Flag.meta({ description: 'Whether sessions may have creator mode. Default true.' }),
  externalUserLimit: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullish()
    .meta({ description: 'External users that are not ephemeral, at most. Default 10000.' }),
  restrictDataDownload: Flag.meta({ description: 'Whether nobody may download data from the pages. Default false.' }),
  appTheme: AppThemeInput.nullish(),
  applyThemeGlobally: Flag.meta({ description: 'Whether the theme is for the console too. Default false.' }),
  sheetsAgentChatEnabled: Flag,
  embedding: EmbedSettingsInput.nullish(),
  creatorMode: CreatorModeInput.nullish(),
  timezoneSettings: TimezoneSettingsInput.nullish(),
  sheetsUi: z.strictObject({ showAppliedFilters: Flag }).meta({ id: 'SheetsUiSettingsInput' }).nullish(),
}

export const TenantSettingsInput = z.strictObject(inputShape).meta({
  id: 'TenantSettingsInput',
  description:
    'What is left out stays; null goes back to the default. embedding, creatorMode, timezoneSettings and sheetsUi merge field by field, appTheme is replaced whole.',
})
export type TenantSettingsInput = z.infer<typeof TenantSettingsInput>

/** What is kept of them: only what was set. Keys of a newer version are left out. */
export const StoredSettings = z.object(inputShape)
export type StoredSettings = z.infer<typeof StoredSettings>
