import { expect, test } from 'vitest'
import { buildOf, createDeployment, load, sharedApi } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'

const api = sharedApi()
const client = connect(api)

/** A deployment of a starter project that was built and asked once. */
async function usedDeployment(): Promise<{ readonly deploymentId: number }> {
  const deploymentId = await createDeployment(api)
  await buildOf(api, deploymentId)
  await load(api, deploymentId, { measures: ['example_orders.total_amount'] })
  return { deploymentId }
}

test('logs hold builds and what the data API answered, oldest first, and are gone on with from a cursor', async () => {
  const params = await usedDeployment()
  const { items, pageInfo } = await client.logs({ params })
  const messages = items.map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringMatching(/^build \d+ of main: queued$/))
  expect(messages).toContainEqual(expect.stringMatching(/^load of production: 200 in [\d.]+ ms$/))
  expect(items.map(({ date }) => date)).toEqual(items.map(({ date }) => date).toSorted())

  const after = pageInfo?.endCursor ?? ''
  await load(api, params.deploymentId, { measures: ['example_orders.total_amount'], limit: 7 })
  const since = await client.logs({ params, query: { after } })
  expect(since.items.length).toBeGreaterThan(0)
  expect(since.items.every(({ message }) => message.startsWith('load of production: '))).toBe(true)
})

test('pods name all that writes into the log, and each name narrows the log to its lines', async () => {
  const params = await usedDeployment()
  const { items: lines } = await client.logs({ params })
  const { items: pods } = await client.pods({ params })
  expect(new Set(pods.map(({ name }) => name))).toEqual(new Set(lines.map(({ pod }) => pod)))
  for (const { name, containers, status, ready } of pods) {
    expect({ status, ready }).toEqual({ status: 'Running', ready: true })
    const [container] = containers
    const narrowed = await client.logs({ params, query: { pod: name, ...(container ? { container } : {}) } })
    const own = lines.filter(({ pod }) => pod === name)
    // Whoever else asks the same server writes no line about this deployment.
    expect(narrowed.items).toEqual(own)
  }
})
