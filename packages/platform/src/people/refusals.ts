import { auditLog, type Store } from '@hedron/store'
import { LRUCache } from 'lru-cache'
import { auditRow } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { Effects } from '../effects.ts'

/** Notes in the audit log who was refused for his rights, and what he tried. */
export interface Refusals {
  /** Never fails and is waited for by nobody: the refusal is answered all the same. */
  note(caller: Caller, context: CallContext, refusal: Refusal): void
  /** Ends when what was noted is written. */
  close(): Promise<void>
}

export interface Refusal {
  /** Operation id of the contract. */
  readonly operation: string
  /** Of the table of errors. */
  readonly code: string
}

/** For how long the same refusal is counted instead of written, in milliseconds. */
const countedMs = 60_000
/** Refusals that are counted at once; one that is pushed out is written anew when it comes again. */
const countedMost = 10_000

/**
 * A refusal is written when it comes first; who tries again and again is counted, and the number stands in the row of the next
 * minute, so that trying does not fill the database.
 */
export function createRefusals({
  store,
  effects,
  report,
}: {
  readonly store: Store
  readonly effects: Effects
  readonly report: (error: unknown) => void
}): Refusals {
  const seen = new LRUCache<string, { readonly since: number; more: number }>({ max: countedMost })
  const writing = new Set<Promise<void>>()

  async function write(caller: Caller, context: CallContext, { operation, code }: Refusal, before: number) {
    const details = { code, ...(before === 0 ? {} : { timesSinceLast: before }) }
    try {
      await auditLog.insertAudit(store.kysely, {
        ...auditRow(caller, context, 'refused', effects.now(), details),
        target: `operation ${operation}`,
      })
    } catch (error) {
      report(error)
    }
  }

  return {
    note(caller, context, refusal) {
      const key = JSON.stringify([caller.accountId, caller.credential, refusal.operation, refusal.code])
      const now = effects.now().getTime()
      const last = seen.get(key)
      if (last !== undefined && now - last.since < countedMs) {
        last.more++
        return
      }
      seen.set(key, { since: now, more: 0 })
      const written = write(caller, context, refusal, last?.more ?? 0)
      writing.add(written)
      void written.finally(() => writing.delete(written))
    },
    async close() {
      await Promise.all(writing)
    },
  }
}
