import { attempts, type Store } from '@hedron/store'
import type { Effects } from '../effects.ts'
import { digestOf } from '../people/digest.ts'

/**
 * How often somebody may try: so many at once, then one in so many seconds. Guesses at one user's password are counted by user and
 * address together, so that who guesses keeps the user himself out nowhere else; by address alone, against many users; and by user
 * alone, against many addresses.
 */
const limits = {
  'password of address': { most: 5, secondsEach: 60 },
  password: { most: 30, secondsEach: 30 },
  address: { most: 40, secondsEach: 10 },
  'device code': { most: 40, secondsEach: 10 },
  'user code': { most: 20, secondsEach: 30 },
  link: { most: 20, secondsEach: 30 },
  'registered program': { most: 40, secondsEach: 60 },
} as const

export interface Attempts {
  /** @returns how many seconds to wait; 0: go on. It is counted before it is known how it ends, so that many at once are too. */
  count(kind: keyof typeof limits, ...of: readonly string[]): Promise<number>
  /** After a success. */
  forget(kind: keyof typeof limits, ...of: readonly string[]): Promise<void>
}

export const createAttempts = ({ store, effects }: { store: Store; effects: Effects }): Attempts => ({
  count: (kind, ...of) =>
    attempts.countAttempt(store.kysely, digestOf(JSON.stringify([kind, ...of])), limits[kind], effects.now()),
  forget: (kind, ...of) => attempts.forgetAttempts(store.kysely, digestOf(JSON.stringify([kind, ...of]))),
})
