/** The languages that the interface speaks (contract/behaviour/embed.md, section 7). */
export const locales = [
  'en-US',
  'de-DE',
  'es-ES',
  'es-MX',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'nb-NO',
  'pt-BR',
  'pt-PT',
  'sv-SE',
  'vi-VN',
] as const
export type Locale = (typeof locales)[number]

export const defaultLocale: Locale = 'en-US'

/**
 * The first wish that can be met, from the strongest to the weakest: a locale of ours, or the first of its language (`es-AR` is
 * `es-ES`). What cannot be met, or is no locale, falls through; where nothing is left it is English.
 */
export function pickLocale(...wishes: readonly (string | null | undefined)[]): Locale {
  for (const wish of wishes) {
    const met = meetWish(wish)
    if (met) return met
  }
  return defaultLocale
}

function meetWish(wish: string | null | undefined): Locale | undefined {
  if (!wish) return undefined
  const normal = wish.trim().replaceAll('_', '-').toLowerCase()
  const [language = ''] = normal.split('-')
  // Norwegian without saying which is Bokmål, which is what there is.
  const spoken = language === 'no' ? 'nb' : language
  return (
    locales.find(locale => locale.toLowerCase() === normal) ??
    (/^[a-z]{2,3}$/.test(spoken) ? locales.find(locale => locale.startsWith(`${spoken}-`)) : undefined)
  )
}

/** The first wish that is a time zone which the browser knows; a bare offset is none. */
export function pickTimeZone(...wishes: readonly (string | null | undefined)[]): string | undefined {
  return wishes.find((wish): wish is string => {
    if (!wish || !/^[A-Za-z]/.test(wish)) return false
    try {
      return new Intl.DateTimeFormat('en', { timeZone: wish }).resolvedOptions().timeZone !== ''
    } catch {
      return false
    }
  })
}
