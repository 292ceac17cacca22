import type { RollupFiles } from '@hedron/query'

/** Files that nothing is answered from any more, and that a query which began before may still read. */
export interface LingeringFiles {
  add(deploymentId: number, file: string): void
  removeDue(): Promise<void>
}

/** Longer than a query may run. */
const lingerMs = 11 * 60_000

export function createLingeringFiles(files: Pick<RollupFiles, 'remove'>, now: () => number): LingeringFiles {
  const entries = new Set<{ readonly deploymentId: number; readonly file: string; readonly at: number }>()
  return {
    add(deploymentId, file) {
      entries.add({ deploymentId, file, at: now() + lingerMs })
    },
    async removeDue() {
      for (const entry of entries) {
        if (entry.at > now()) continue
        entries.delete(entry)
        await files.remove(entry.deploymentId, entry.file)
      }
    },
  }
}
