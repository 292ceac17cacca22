/** Says whether what was read of a deployment's branches is still so. */
export interface BranchChanges {
  /** Changes whenever the deployment's branches may have; null while that cannot be known. */
  generation(deploymentId: number): string | null
  /** They may have changed. Called on this node before the change is acknowledged, and for every change that others tell of. */
  changed(deploymentId: number): void
  /** Changes of other nodes are heard from now on; those before were not. */
  begin(): void
  /** They are not heard any more. */
  end(): void
}

export function createBranchChanges(): BranchChanges {
  const counts = new Map<number, number>()
  let isHearing = false
  let beginnings = 0
  return {
    generation: deploymentId => (isHearing ? `${beginnings} ${counts.get(deploymentId) ?? 0}` : null),
    changed: deploymentId => {
      counts.set(deploymentId, (counts.get(deploymentId) ?? 0) + 1)
    },
    begin: () => {
      isHearing = true
      beginnings++
    },
    end: () => {
      isHearing = false
    },
  }
}
