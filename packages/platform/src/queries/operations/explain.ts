import type { Explanation } from '@hedron/semantic'
import { requireScope } from '../authenticate-data.ts'
import type { DataCaller } from '../data-caller.ts'
import { whyMissing } from '../rollup-answer.ts'
import { toDataError } from '../to-data-error.ts'
import type { Planned } from '../understand.ts'
import type { OperationNeeds } from './operation-needs.ts'

/** How each query of a request is answered and why so. */
export function createExplain({ understand, rollups, effects }: OperationNeeds) {
  return async (caller: DataCaller, parameters: unknown): Promise<object> => {
    requireScope(caller, 'data')
    const { planned } = await understand(caller, parameters)
    try {
      return { queryType: planned[0]?.query.queryType, explanations: planned.map(explainWithTables) }
    } catch (error) {
      throw toDataError(error)
    }
  }

  /** An explanation with how the tables of its rollup stand: used and how old, or why not. Nothing is built for it. */
  function explainWithTables({
    explain,
    rollup,
    needsRollup,
  }: Planned): Explanation & { readonly rollupState: RollupTables | null } {
    const explanation = explain()
    const planned = rollup()
    if (!planned || 'miss' in planned) {
      // Which of the model's rollups does not fit, and why, is in the explanation itself.
      return { ...explanation, rollupState: planned?.id ? { used: false, reason: planned.miss } : null }
    }
    const reply = rollups.ask(planned, { isStrict: false, builds: false })
    if ('missing' in reply) {
      const reason = whyMissing(planned, reply)
      const otherwise = needsRollup ? 'No source can answer, and' : 'The source answers, as'
      const line = `${otherwise} ${planned.id.cube}.${planned.id.name} has no tables for this query: ${reason}.`
      return { ...explanation, text: [...explanation.text, line], rollupState: { used: false, reason } }
    }
    const ageSeconds = Math.max(0, Math.round((effects.now().getTime() - reply.builtAt.getTime()) / 1000))
    const line = `Its tables are ${ageSeconds} seconds old.`
    const rollupState = { used: true as const, builtAt: reply.builtAt.toISOString(), ageSeconds }
    return { ...explanation, text: [...explanation.text, line], rollupState }
  }
}

type RollupTables =
  | { readonly used: true; readonly builtAt: string; readonly ageSeconds: number }
  | { readonly used: false; readonly reason: string }
