import { join } from 'node:path'
import { openStore } from '@hedron/store'
import * as z from 'zod'
import type { Figure, Scenario } from '../shapes.ts'
import { interleave, timed } from '../support/interleave.ts'
import { createDeployment, type Platform, startPlatform } from '../support/platform.ts'

const many = 100_000
const pageSize = 50
/** A last page may take this much longer than the first, for what the machine does meanwhile. */
const tolerated = 1.5

const Listed = z.object({
  items: z.array(z.object({ id: z.number() })),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
})

const lists = {
  'workspace by updated_at': '/workspace?',
  'workspace by name': '/workspace?orderByField=name&',
  workbooks: '/workbooks?',
} as const

export const contentLists: Scenario = {
  name: 'content-lists',
  describes: `the first and the last page of ${many.toLocaleString('en')} workbooks`,
  async run({ quick, scope, say }) {
    const { dataDirectory, deploymentId } = await fill(await startPlatform(scope, { demo: false }))
    const platform = await startPlatform(scope, { demo: false, dataDirectory })
    const rounds = quick ? 20 : 200
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(lists)) {
      say(name)
      const list = (query: string) =>
        platform.call(Listed, 'GET', `/api/v1/deployments/${deploymentId}${path}first=${pageSize}${query}`)
      const last = `&after=${encodeURIComponent(await cursorBeforeLast(platform, deploymentId, path))}`
      const measured = await interleave(
        { rounds, warmUps: 5 },
        { first: () => timed(() => list('')), last: () => timed(() => list(last)) },
      )
      figures.push({
        what: `last page of ${many.toLocaleString('en')}: ${name}`,
        unit: 'ms',
        hedron: measured('last'),
        beside: { what: 'the first page', summary: measured('first') },
        goal: { text: 'equal cost', met: measured('last').median <= measured('first').median * tolerated },
        note: `${pageSize} workbooks at the root of the workspace, as an administrator, each request after the other.`,
      })
    }
    return figures
  },
}

/** Puts the workbooks into a new deployment, while no server runs: made one by one they would take minutes. */
async function fill(platform: Platform): Promise<{ dataDirectory: string; deploymentId: number }> {
  const deploymentId = await createDeployment(platform, 'content')
  const { dataDirectory } = platform
  await platform.stop()
  const store = await openStore({ directory: join(dataDirectory, 'postgres') })
  try {
    await store.pool.query(
      `insert into workbooks (account_id, deployment_id, name, created_at, updated_at)
       select account_id, id, 'Workbook ' || n, now() - n * interval '1 minute', now() - n * interval '1 minute'
       from deployments, generate_series(1, $2::int) as n where id = $1`,
      [deploymentId, many],
    )
    await store.pool.query('analyze workbooks')
  } finally {
    await store.close()
  }
  return { dataDirectory, deploymentId }
}

/** Walks the list in large pages, then in small ones. @returns the cursor after which one small page is left */
async function cursorBeforeLast(platform: Platform, deploymentId: number, path: string): Promise<string> {
  const base = `/api/v1/deployments/${deploymentId}${path}`
  let after = ''
  for (let left = many; left > pageSize; ) {
    const size = Math.min(1000, left - pageSize)
    const query = `first=${size}${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`
    const { items, pageInfo } = await platform.call(Listed, 'GET', base + query)
    if (items.length !== size || !pageInfo.endCursor) throw new Error(`a page of ${path} has ${items.length} items`)
    left -= size
    after = pageInfo.endCursor
  }
  return after
}
