import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataFolders } from '@hedron/platform'

/** `<data directory>/deployments/<id>/data`: what a deployment's DuckDB reads. */
export function createDataFolders(dataDirectory: string): DataFolders {
  const pathOf = (deploymentId: number) => join(dataDirectory, 'deployments', String(deploymentId), 'data')
  return {
    pathOf,
    async make(deploymentId) {
      await mkdir(pathOf(deploymentId), { recursive: true })
    },
    async remove(deploymentId) {
      await rm(dirname(pathOf(deploymentId)), { recursive: true, force: true })
    },
  }
}
