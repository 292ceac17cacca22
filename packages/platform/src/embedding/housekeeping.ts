import { auditLog, embedSessions, externalUsers, type Store } from '@hedron/store'
import type { Effects } from '../effects.ts'

/** Removes what is over: ephemeral users, and embed sessions that nobody can use any more. */
export interface EmbedHousekeeping {
  start(): void
  /** Looks once, now. */
  pass(): Promise<void>
  close(): Promise<void>
}

interface HousekeepingNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly report: (error: unknown) => void
}

/** How often it is looked, in milliseconds. Whoever is over his time is refused at once, removed or not. */
const passMs = 15_000
/** Rows of a pass, so that none holds locks for long. */
const most = 500
/** Ended sessions are kept as long as the longest token lives, to be told apart from those that never were. */
const keptMs = 24 * 3_600_000

export function createEmbedHousekeeping({ store, effects, report }: HousekeepingNeeds): EmbedHousekeeping {
  let timer: NodeJS.Timeout | undefined
  let passing: Promise<void> | undefined

  async function pass(): Promise<void> {
    const now = effects.now()
    await store.transaction(async transaction => {
      for (const { id, accountId, externalId } of await externalUsers.deleteExpiredUsers(transaction, now, most)) {
        await auditLog.insertAudit(transaction, {
          accountId,
          at: now,
          actor: 'system',
          action: 'external-user.expire',
          target: `user ${id}`,
          address: null,
          requestId: 'housekeeping',
          details: JSON.stringify({ externalId }),
        })
      }
    })
    await embedSessions.deleteOldSessions(store.kysely, new Date(now.getTime() - keptMs), most)
  }

  return {
    pass,
    start() {
      timer ??= setInterval(() => {
        passing ??= pass()
          .catch(report)
          .finally(() => {
            passing = undefined
          })
      }, passMs).unref()
    },
    async close() {
      clearInterval(timer)
      await passing
    },
  }
}
