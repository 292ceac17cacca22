import type { AppConfig } from '@hedron/contract'
import { type Locale, pickLocale, pickTimeZone, type SessionTheme } from '@hedron/ui'
import type { FrameAddress } from './address.ts'
import type { SessionClaims } from './claims.ts'
import type { HostChannel } from './host-channel.ts'
import { createStore, type Store } from './store.ts'

/** What the host has set since the page was loaded; it goes before everything else. */
export interface HostWishes {
  readonly locale: string | null
  readonly timezone: string | null
  readonly scheme: 'light' | 'dark' | 'auto'
  readonly theme: SessionTheme | null
}

/** Hears the host's messages about language, zone and look. What cannot be used is passed over. */
export function listenToWishes(host: HostChannel): Store<HostWishes> {
  const wishes = createStore<HostWishes>({ locale: null, timezone: null, scheme: 'auto', theme: null })
  host.on('set-locale', ({ locale }) => {
    if (typeof locale === 'string') wishes.set(before => ({ ...before, locale }))
  })
  host.on('set-timezone', ({ timezone }) => {
    if (typeof timezone === 'string') wishes.set(before => ({ ...before, timezone }))
  })
  host.on('set-color-scheme', ({ scheme }) => {
    if (scheme === 'light' || scheme === 'dark' || scheme === 'auto') wishes.set(before => ({ ...before, scheme }))
  })
  host.on('set-theme', theme => wishes.set(before => ({ ...before, theme: { ...before.theme, ...readTheme(theme) } })))
  return wishes
}

/** The language of the page (contract/behaviour/embed.md section 7). */
export function localeOf(wishes: HostWishes, address: FrameAddress, config: AppConfig | null): Locale {
  // Until the settings are known, the server's shell has the account's language in the page itself.
  const account = config === null ? document.documentElement.lang : config.embedding.locale
  return pickLocale(wishes.locale, address.locale, account)
}

/** The zone of queries; undefined: that of the deployment. Users' own zones count where the account lets them. */
export function timeZoneOf(
  wishes: HostWishes,
  address: FrameAddress,
  claims: SessionClaims | null,
  config: AppConfig,
  ofDashboard: string | null,
): string | undefined {
  const { enabled, allowUserOverride } = config.timezoneSettings
  if (!enabled) return undefined
  const own = allowUserOverride ? [wishes.timezone, address.timezone] : []
  return pickTimeZone(...own, claims?.settings.timezone, ofDashboard, config.embedding.timezone)
}

function readTheme(sent: Readonly<Record<string, unknown>>): SessionTheme {
  const chat = recordOf(sent.chat)
  const analytics = recordOf(sent.analyticsChat)
  const input = recordOf(analytics.chatInput)
  const radius = sent.borderRadius
  return {
    ...(typeof sent.primaryColor === 'string' ? { primaryColor: sent.primaryColor } : {}),
    ...(typeof sent.font === 'string' ? { font: sent.font } : {}),
    ...(typeof radius === 'string' || typeof radius === 'number' ? { borderRadius: radius } : {}),
    ...(typeof chat.inputColor === 'string' ? { chat: { inputColor: chat.inputColor } } : {}),
    ...('analyticsChat' in sent
      ? {
          analyticsChat: {
            ...(typeof analytics.backgroundColor === 'string' ? { backgroundColor: analytics.backgroundColor } : {}),
            chatInput: {
              ...(typeof input.backgroundColor === 'string' ? { backgroundColor: input.backgroundColor } : {}),
              ...(typeof input.borderColor === 'string' ? { borderColor: input.borderColor } : {}),
            },
          },
        }
      : {}),
  }
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
