import { createCounts } from '../counts.ts'

/** How many connections may be about to show who they are: each costs a guess at a password. */
export interface SignInLimits {
  readonly signingIn: number
  readonly signingInOfOneAddress: number
}

/** Counts connections until they are let in or end, so that who guesses keeps nobody else out. */
export function createSignInLimits({ signingIn, signingInOfOneAddress }: SignInLimits) {
  const ofAddress = createCounts<string>()
  const ofAll = createCounts<'all'>()
  return {
    /** @returns how it is left again, once; null where there are too many. */
    enter(address: string): (() => void) | null {
      if (ofAll.of('all') >= signingIn || ofAddress.of(address) >= signingInOfOneAddress) return null
      const leave = [ofAll.add('all'), ofAddress.add(address)]
      return () => {
        for (const each of leave) each()
      }
    },
  }
}
