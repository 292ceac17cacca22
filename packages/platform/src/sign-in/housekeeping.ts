import {
  attempts,
  authorizationCodes,
  deviceCodes,
  logins,
  oauthClients,
  type Store,
  signInLinks,
  signIns,
} from '@hedron/store'
import type { Effects } from '../effects.ts'

interface HousekeepingNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly report: (error: unknown) => void
}

/** How often it is looked, in milliseconds. What is over is refused at once, removed or not. */
const passMs = 60_000
const dayMs = 24 * 3_600_000

/** Removes what is over: sessions, logins and their tokens, codes, links, programs that nobody lets in, and what was counted. */
export function createSignInHousekeeping({ store, effects, report }: HousekeepingNeeds) {
  let timer: NodeJS.Timeout | undefined
  let passing: Promise<void> | undefined

  async function pass(): Promise<void> {
    const now = effects.now()
    await signIns.deleteEndedSignIns(store.kysely, now)
    await logins.deleteEndedLogins(store.kysely, now)
    await deviceCodes.deleteOldDeviceCodes(store.kysely, now)
    await signInLinks.deleteOldSignInLinks(store.kysely, now)
    // A code that is shown again within a day ends its login.
    await authorizationCodes.deleteOldCodes(store.kysely, new Date(now.getTime() - dayMs))
    await oauthClients.deleteUnusedClients(store.kysely, {
      neverUsed: new Date(now.getTime() - dayMs),
      unused: new Date(now.getTime() - 200 * dayMs),
    })
    await attempts.deleteOldAttempts(store.kysely, now)
  }

  return {
    start() {
      timer ??= setInterval(() => {
        passing ??= pass()
          .catch(report)
          .finally(() => {
            passing = undefined
          })
      }, passMs).unref()
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await passing
    },
  }
}
