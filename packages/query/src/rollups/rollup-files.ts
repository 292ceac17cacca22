import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readDataSources } from '../data-sources.ts'
import { createEngines, type Engines } from '../engine/engines.ts'
import type { DataSource } from '../shapes/data-source.ts'
import type { WrittenFile } from './parquet-writer.ts'
import { type IncomingRows, type WriteOptions, writeParquet } from './write-parquet.ts'

/** The files of rollups on this machine: a folder for each deployment, which nothing but the rollups' own source reads. */
export interface RollupFiles {
  /**
   * @param file a name that nobody can guess
   * @throws QueryServiceError when the rows can't be kept
   */
  write(deploymentId: number, rows: IncomingRows, options: Omit<WriteOptions, 'folder'>): Promise<WrittenFile>
  /** What reads the files of one deployment: a locked DuckDB that sees their folder alone. */
  source(deploymentId: number): DataSource
  has(deploymentId: number, file: string): Promise<boolean>
  remove(deploymentId: number, file: string): Promise<void>
  /** Removes all of a deployment. */
  drop(deploymentId: number): Promise<void>
  /** Deployments that have a folder. */
  deployments(): Promise<readonly number[]>
  /** Removes every file of a deployment but these: what a process that was killed left behind. */
  sweep(deploymentId: number, kept: ReadonlySet<string>): Promise<void>
}

/**
 * @param directory absolute; made when it is needed
 * @param engines where files are written. Default: engines of its own
 */
export function createRollupFiles(directory: string, engines: Engines = createEngines()): RollupFiles {
  const builders = engines.holder((engine, signal) => engine.ask({ do: 'build' }, signal))
  const folderOf = (deploymentId: number) => join(directory, String(deploymentId))
  return {
    async write(deploymentId, rows, options) {
      const folder = folderOf(deploymentId)
      await mkdir(folder, { recursive: true })
      return writeParquet(builders, rows, { ...options, folder })
    },
    source: deploymentId => ({
      ...readDataSources({}, { dataDirectory: folderOf(deploymentId) }).get('default'),
      name: 'rollups',
    }),
    async has(deploymentId, file) {
      return (await stat(join(folderOf(deploymentId), file)).catch(() => undefined))?.isFile() === true
    },
    async remove(deploymentId, file) {
      await rm(join(folderOf(deploymentId), file), { force: true })
    },
    async drop(deploymentId) {
      await rm(folderOf(deploymentId), { recursive: true, force: true })
    },
    async deployments() {
      const names = await readdir(directory).catch(missingIsEmpty)
      return names.filter(name => /^[1-9]\d*$/.test(name)).map(Number)
    },
    async sweep(deploymentId, kept) {
      const names = await readdir(folderOf(deploymentId)).catch(missingIsEmpty)
      for (const name of names) {
        if (!kept.has(name)) await rm(join(folderOf(deploymentId), name), { recursive: true, force: true })
      }
    },
  }
}

function missingIsEmpty(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
