/** How many sessions each deployment has. */
export function createSessionCounts() {
  const counts = new Map<number, number>()
  return {
    /** @returns how the session is left again; null where there are too many. */
    enter(deploymentId: number, maximum: number): (() => void) | null {
      const count = counts.get(deploymentId) ?? 0
      if (count >= maximum) return null
      counts.set(deploymentId, count + 1)
      return () => {
        const left = (counts.get(deploymentId) ?? 1) - 1
        if (left > 0) counts.set(deploymentId, left)
        else counts.delete(deploymentId)
      }
    },
  }
}
export type SessionCounts = ReturnType<typeof createSessionCounts>
