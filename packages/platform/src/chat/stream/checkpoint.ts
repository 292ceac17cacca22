import * as z from 'zod'

/** How far a turn is, as it is kept: what the agent saved, and what had been told by then. */
export const Checkpoint = z.object({
  state: z.unknown(),
  said: z.object({ content: z.string(), thinking: z.string() }),
  sort: z.number(),
})
export type Checkpoint = z.infer<typeof Checkpoint>

export const readCheckpoint = (stored: unknown): Checkpoint | null =>
  stored === null || stored === undefined ? null : Checkpoint.parse(stored)
