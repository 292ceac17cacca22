import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type ExampleWorkbook, flightsWorkbook } from './dashboard.ts'

/** A project to make a deployment of: its model files, and the data files that the model reads. */
export interface ExampleProject {
  readonly name: string
  /** Path inside the project to content. */
  readonly files: ReadonlyMap<string, string>
  /** Name in the deployment's data folder to the file to copy there. */
  readonly data: ReadonlyMap<string, string>
  readonly variables: Readonly<Record<string, string>>
  readonly workbook: ExampleWorkbook
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** The flights demo, as it stands in this folder. */
export async function readFlightsExample(): Promise<ExampleProject> {
  const names = await readdir(join(root, 'model'), { recursive: true, withFileTypes: true })
  const paths = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths.sort().map(async path => [relative(root, path).replaceAll('\\', '/'), await readFile(path, 'utf8')] as const),
  )
  const data = ['flights-3m.parquet', 'airports.csv'].map(name => [name, datasetPath(name)] as const)
  const variables = { CUBEJS_DB_TYPE: 'duckdb' }
  return { name: 'flights', files: new Map(files), data: new Map(data), variables, workbook: flightsWorkbook }
}

/** The package exports its code alone; its data lies beside that. */
function datasetPath(name: string): string {
  const code = createRequire(import.meta.url).resolve('vega-datasets')
  return join(dirname(dirname(code)), 'data', name)
}
