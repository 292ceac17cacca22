import * as z from 'zod'

/** Of the settings of an account, what decides whether its embed sessions work; what was not set has its default. */
const EmbedFlags = z.object({
  embeddingEnabled: z.boolean().default(true),
  useCreatorMode: z.boolean().default(true),
})
export type EmbedFlags = z.infer<typeof EmbedFlags>

/** @param settings as they are stored; null: nothing was ever set. */
export const readEmbedFlags = (settings: unknown): EmbedFlags => EmbedFlags.parse(settings ?? {})
