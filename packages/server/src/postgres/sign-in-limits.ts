/** How many connections may be about to show who they are: each costs a guess at a password. */
export interface SignInLimits {
  readonly signingIn: number
  readonly signingInOfOneAddress: number
}

/** Counts connections until they are let in or end, so that who guesses keeps nobody else out. */
export function createSignInLimits({ signingIn, signingInOfOneAddress }: SignInLimits) {
  const counts = new Map<string, number>()
  let total = 0
  return {
    /** @returns how it is left again, once; null where there are too many. */
    enter(address: string): (() => void) | null {
      const count = counts.get(address) ?? 0
      if (total >= signingIn || count >= signingInOfOneAddress) return null
      counts.set(address, count + 1)
      total += 1
      let left = false
      return () => {
        if (left) return
        left = true
        total -= 1
        const rest = (counts.get(address) ?? 1) - 1
        if (rest > 0) counts.set(address, rest)
        else counts.delete(address)
      }
    },
  }
}
