import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const program = `
import { getPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { lowerPriority } from ${JSON.stringify(new URL('../../src/threads/lower-priority.ts', import.meta.url).href)}
const before = getPriority()
lowerPriority()
parentPort.postMessage([before, getPriority()])
`

test.runIf(process.platform === 'linux')('a thread that lowers its priority lowers that of no other', async () => {
  const own = getPriority()
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`))
  const [priorities] = await once(worker, 'message')
  expect(priorities).toEqual([own, Math.min(own + 5, 19)])
  expect(getPriority()).toBe(own)
  await worker.terminate()
})
