import { attempts, deviceCodes, logins, type Store, signInLinks, signIns } from '@hedron/store'
import type { Effects } from '../effects.ts'

interface HousekeepingNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly report: (error: unknown) => void
}

/** How often it is looked, in milliseconds. What is over is refused at once, removed or not. */
const passMs = 60_000

/** Removes what is over: sessions, logins and their tokens, codes, links, and what was counted. */
export function createSignInHousekeeping({ store, effects, report }: HousekeepingNeeds) {
  let timer: NodeJS.Timeout | undefined
  let passing: Promise<void> | undefined

  async function pass(): Promise<void> {
    const now = effects.now()
    await signIns.deleteEndedSignIns(store.kysely, now)
    await logins.deleteEndedLogins(store.kysely, now)
    await deviceCodes.deleteOldDeviceCodes(store.kysely, now)
    await signInLinks.deleteOldSignInLinks(store.kysely, now)
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
