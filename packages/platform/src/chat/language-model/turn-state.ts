import { type ModelMessage, modelMessageSchema } from 'ai'
import * as z from 'zod'

/** How far a turn is, as it is saved after each step: a provider is never asked again for what it has answered. */
export interface TurnState {
  /** What came after the question: replies of the model and results of tools. */
  readonly messages: readonly ModelMessage[]
  /** Calls of tools that the last reply asks for and that have no result yet. */
  readonly pending: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  readonly steps: number
  /** Everything that was said. */
  readonly text: string
  /** Tokens that were taken so far, attempts before a suspension included. */
  readonly tokens: number
  /** It was told of numbers that no result has. */
  readonly isCorrected: boolean
}

export const firstState: TurnState = { messages: [], pending: [], steps: 0, text: '', tokens: 0, isCorrected: false }

const Saved = z.object({
  messages: z.array(modelMessageSchema),
  pending: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown() })),
  steps: z.number(),
  text: z.string(),
  tokens: z.number(),
  isCorrected: z.boolean().default(false),
})

/** @param saved what an agent of this kind saved; null or what another kind saved begins anew */
export function readState(saved: unknown): TurnState {
  const { success, data } = Saved.safeParse(saved)
  return success ? data : firstState
}
