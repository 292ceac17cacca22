import { StoredSettings } from '@hedron/contract'
import { embedFraming, type Store } from '@hedron/store'
import { digestOf } from '../people/digest.ts'

/** What the address of an embedded page names, as it stands there. */
export interface EmbedPageAddress {
  readonly publicId?: string | undefined
  readonly deploymentId?: number | undefined
  readonly sessionId?: string | undefined
}

/** What a page may do before anybody is known, by the settings of the account that it belongs to. */
export interface FramingRules {
  /** Origins that may show it in a frame; null: any. */
  readonly origins: readonly string[] | null
  /** Language of the account's embedded pages; null: not set. */
  readonly locale: string | null
}

export type EmbedFraming = (page: EmbedPageAddress) => Promise<FramingRules>

/**
 * Which sites may show an embedded page (`embedding.allowedOrigins` of the account). A page whose address names nothing, such as the
 * chat of somebody who is signed in, follows the account where there is one alone; where there are more, no site may show it.
 */
export function createEmbedFraming(store: Store): EmbedFraming {
  return async ({ publicId, deploymentId, sessionId }) => {
    const settings = await embedFraming.findSettingsOfPage(store.kysely, {
      publicId: publicId ?? null,
      deploymentId: deploymentId ?? null,
      sessionDigest: sessionId === undefined ? null : digestOf(sessionId),
    })
    if (settings !== undefined) return rulesOf(settings)
    const [only, ...others] = await embedFraming.settingsOfAccounts(store.kysely, 2)
    return others.length > 0 ? { origins: [], locale: null } : rulesOf(only)
  }
}

function rulesOf(settings: unknown): FramingRules {
  const embedding = StoredSettings.safeParse(settings ?? {}).data?.embedding
  return { origins: embedding?.allowedOrigins ?? null, locale: embedding?.locale ?? null }
}
