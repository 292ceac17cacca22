import { type EmbedSettings, isLocale, isTimeZone } from '@hedron/contract'
import type { EmbedSession } from '../caller.ts'
import type { AccountSettings } from './account-settings.ts'

const switches = ['allowAi', 'showDashboardChat', 'showWorkbookChat', 'showAiWidgets'] as const

/**
 * The embed settings that hold for a session: what it was minted with, else what the account has (SPEC, "Session settings":
 * omitted inherits, true and false force). A locale or time zone that cannot be used falls through and is no error.
 *
 * @param session null: those of the account.
 */
export function settingsOfSession(
  { embedding, timezoneSettings }: Pick<AccountSettings, 'embedding' | 'timezoneSettings'>,
  session: EmbedSession | null,
): EmbedSettings {
  const merged = { ...embedding }
  if (session === null) return merged
  for (const name of switches) {
    const value = session.settings[name]
    if (typeof value === 'boolean') merged[name] = value
  }
  const { locale, timezone } = session.settings
  if (typeof locale === 'string' && isLocale(locale)) merged.locale = locale
  if (timezoneSettings.enabled && typeof timezone === 'string' && isTimeZone(timezone)) merged.timezone = timezone
  return merged
}
