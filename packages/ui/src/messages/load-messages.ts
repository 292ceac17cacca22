import { english } from './locales/en-US.ts'
import type { Messages } from './messages.ts'
import type { Locale } from './pick-locale.ts'

/** A language is a chunk of its own and is read when it is spoken; English is always there. */
const tables: Readonly<Record<Exclude<Locale, 'en-US'>, () => Promise<{ messages: Messages }>>> = {
  'de-DE': () => import('./locales/de-DE.ts'),
  'es-ES': () => import('./locales/es-ES.ts'),
  'es-MX': () => import('./locales/es-MX.ts'),
  'fr-FR': () => import('./locales/fr-FR.ts'),
  'it-IT': () => import('./locales/it-IT.ts'),
  'ja-JP': () => import('./locales/ja-JP.ts'),
  'nb-NO': () => import('./locales/nb-NO.ts'),
  'pt-BR': () => import('./locales/pt-BR.ts'),
  'pt-PT': () => import('./locales/pt-PT.ts'),
  'sv-SE': () => import('./locales/sv-SE.ts'),
  'vi-VN': () => import('./locales/vi-VN.ts'),
}

/** The interface's texts in a language. Rejects where the chunk cannot be loaded; English needs no loading. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  if (locale === 'en-US') return english
  return (await tables[locale]()).messages
}
