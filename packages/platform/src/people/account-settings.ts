import { StoredSettings, type TenantSettings, type TenantSettingsInput } from '@hedron/contract'
import { accountSettings, type Executor } from '@hedron/store'
import { readEmbedFlags } from '../embedding/flags.ts'
import { completeTheme } from './app-theme.ts'

/** All that an administrator can set for the account, complete: what was not set has its default. */
export type AccountSettings = TenantSettings

/** External users of an account, at most, where nothing else was set (SPEC, "Limits"). */
const externalUserLimit = 10_000

/** Reads the settings of an account. Inside a transaction it sees what that wrote. */
export async function readAccountSettings(executor: Executor, accountId: number): Promise<AccountSettings> {
  const { settings, accountCreatedAt } = await accountSettings.readSettings(executor, accountId)
  return complete(StoredSettings.parse(settings), accountCreatedAt)
}

/**
 * Merges a change into the settings; two that change different ones at once both hold.
 *
 * @param change what is left out stays, null goes back to the default.
 */
export async function changeAccountSettings(
  executor: Executor,
  accountId: number,
  change: TenantSettingsInput,
  at: Date,
): Promise<void> {
  const stored = await accountSettings.lockSettings(executor, accountId)
  await accountSettings.writeSettings(executor, accountId, merge(stored, change, groups), at)
}

/** These merge field by field. */
const groups: ReadonlySet<string> = new Set(['embedding', 'creatorMode', 'timezoneSettings', 'sheetsUi'])

type Json = Record<string, unknown>

function merge(stored: Json, change: object, nested: ReadonlySet<string>): Json {
  const merged = new Map(Object.entries(stored))
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) continue
    if (value === null) merged.delete(name)
    else if (nested.has(name)) merged.set(name, merge(objectOf(merged.get(name)), value, new Set()))
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})

function complete(stored: StoredSettings, accountCreatedAt: Date): AccountSettings {
  const { embedding, creatorMode, timezoneSettings } = stored
  return {
    auditLogEnabled: true,
    auditLogEnabledCurrent: true,
    auditLogEnabledTimestamp: accountCreatedAt.getTime(),
    hasSupportAccess: stored.hasSupportAccess ?? false,
    useAIBIUserInterface: stored.useAIBIUserInterface ?? true,
    maintenanceWindowEnabled: stored.maintenanceWindowEnabled ?? false,
    maintenanceWindowDay: stored.maintenanceWindowDay ?? 'Sunday',
    maintenanceWindowTime: stored.maintenanceWindowTime ?? '00:00',
    oidcEnabled: stored.oidcEnabled ?? false,
    ...readEmbedFlags(stored),
    externalUserLimit: stored.externalUserLimit ?? externalUserLimit,
    restrictDataDownload: stored.restrictDataDownload ?? false,
    appTheme: stored.appTheme ? completeTheme(stored.appTheme) : null,
    applyThemeGlobally: stored.applyThemeGlobally ?? false,
    sheetsAgentChatEnabled: stored.sheetsAgentChatEnabled ?? false,
    sheetsUi: { showAppliedFilters: stored.sheetsUi?.showAppliedFilters ?? true },
    embedding: {
      allowAi: embedding?.allowAi ?? true,
      showDashboardChat: embedding?.showDashboardChat ?? true,
      showWorkbookChat: embedding?.showWorkbookChat ?? true,
      showAiWidgets: embedding?.showAiWidgets ?? true,
      enableDashboardComments: embedding?.enableDashboardComments ?? false,
      locale: embedding?.locale ?? 'en-US',
      timezone: embedding?.timezone ?? timezoneSettings?.timezone ?? null,
      allowedOrigins: embedding?.allowedOrigins ?? null,
    },
    creatorMode: {
      showWorkspaceTitle: creatorMode?.showWorkspaceTitle ?? true,
      workspaceTitle: creatorMode?.workspaceTitle ?? null,
      localizedTitles: creatorMode?.localizedTitles ?? [],
      showGeneratedSql: creatorMode?.showGeneratedSql ?? false,
      showSemanticSql: creatorMode?.showSemanticSql ?? true,
    },
    timezoneSettings: {
      enabled: timezoneSettings?.enabled ?? true,
      allowUserOverride: timezoneSettings?.allowUserOverride ?? true,
      timezone: timezoneSettings?.timezone ?? null,
    },
  }
}
