import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Words from a file that tests change, checked at most a second apart; and a query that takes a while. */
export const liveModel = {
  'model/live.yml': `cubes:
  - name: live
    sql: SELECT * FROM read_csv('live.csv')
    refresh_key: { every: 1 second }
    dimensions: [{ name: word, sql: word, type: string }]
    measures: [{ name: count, type: count }]
  - name: slow
    sql: SELECT hash(a.range, b.range) AS value FROM range(20000) AS a CROSS JOIN range(10000) AS b
    measures: [{ name: most, sql: "max({CUBE}.value)", type: number }]
`,
}

/** Replaces the words that a deployment of a started platform reads, at once, so that nobody reads half of them. */
export async function writeWords(
  { dataDirectory }: { readonly dataDirectory: string },
  deploymentId: number,
  ...words: readonly string[]
): Promise<void> {
  const folder = join(dataDirectory, 'deployments', String(deploymentId), 'data')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'next'), `word\n${words.join('\n')}\n`)
  await rename(join(folder, 'next'), join(folder, 'live.csv'))
}
