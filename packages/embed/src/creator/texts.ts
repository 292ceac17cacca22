import type { Locale } from '@hedron/ui'
import { type CreatorTexts, creatorTexts as english } from './texts/en-US.ts'

/** A language is a chunk of its own; English is always there. */
const tables: Readonly<Record<Exclude<Locale, 'en-US'>, () => Promise<{ readonly creatorTexts: CreatorTexts }>>> = {
  'de-DE': () => import('./texts/de-DE.ts'),
  'es-ES': () => import('./texts/es-ES.ts'),
  'es-MX': () => import('./texts/es-MX.ts'),
  'fr-FR': () => import('./texts/fr-FR.ts'),
  'it-IT': () => import('./texts/it-IT.ts'),
  'ja-JP': () => import('./texts/ja-JP.ts'),
  'nb-NO': () => import('./texts/nb-NO.ts'),
  'pt-BR': () => import('./texts/pt-BR.ts'),
  'pt-PT': () => import('./texts/pt-PT.ts'),
  'sv-SE': () => import('./texts/sv-SE.ts'),
  'vi-VN': () => import('./texts/vi-VN.ts'),
}

export const englishCreatorTexts: CreatorTexts = english

/** English where the language does not come. */
export async function loadCreatorTexts(locale: string): Promise<CreatorTexts> {
  const load = Object.entries(tables).find(([name]) => name === locale)?.[1]
  if (load === undefined) return english
  return load().then(
    ({ creatorTexts }) => creatorTexts,
    () => english,
  )
}
