import type { ChatNode } from './chat-node.ts'

/** How long turns may go on to end by themselves or come to the end of a step, in milliseconds; and then to stop. */
const stepMs = 3000
const stopMs = 4000

/** Ends what a node answers before it stops: at the end of a step where one is near, else where it is. Bounded. */
export async function suspendTurns(node: Pick<ChatNode, 'living'>): Promise<void> {
  const living = node.living()
  for (const live of living) live.ending = true
  const over = Promise.all(living.map(live => live.ended))
  await atMost(over, stepMs)
  for (const live of node.living()) live.stop('suspended')
  await atMost(over, stopMs)
}

async function atMost(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, milliseconds)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
