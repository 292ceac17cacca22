import type { Account } from './ledger.ts'
import { isRefusal } from './refusal.ts'
import type { World } from './world.ts'

/** Somebody who does one thing over and over. */
export interface Client {
  readonly name: string
  /** How many do it at once. */
  readonly count: number
  /** Milliseconds between one time and the next. */
  readonly pause: number
  /**
   * Does it once, and checks what comes back; `note` counts a further answer.
   *
   * @throws {Refusal} the server's error, which a fault may explain; whatever else is thrown is a breach
   */
  once(): Promise<void>
  /** Lets go of what it holds from one time to the next. */
  close?(): Promise<void>
}

/** Milliseconds that anything may take; longer is a breach. */
const longest = 100_000

/** Runs clients until the signal aborts; then each ends what it has begun. */
export async function runClients(world: World, clients: readonly Client[], signal: AbortSignal): Promise<void> {
  await Promise.all(
    clients.flatMap(client => Array.from({ length: client.count }, () => runClient(world, client, signal))),
  )
  await Promise.all(clients.map(client => client.close?.()))
}

async function runClient({ ledger, faults }: World, client: Client, signal: AbortSignal): Promise<void> {
  const account = ledger.of(client.name)
  // They begin one after the other, as people do.
  await pause(Math.random() * Math.min(client.pause, 1_000), signal)
  while (!signal.aborted) {
    const began = performance.now()
    try {
      await inTime(client.once())
      account.answered(performance.now() - began)
    } catch (error) {
      judge(account, faults, error, began)
    }
    await pause(client.pause * (0.5 + Math.random()), signal)
  }
}

/** @throws when the work has not ended after the longest that anything may take */
async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('still not answered')), longest)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Puts an error to the fault that explains it, or down as a breach. */
export function judge(account: Account, faults: World['faults'], error: unknown, began: number): void {
  const fault = isRefusal(error) ? faults.explain(error.message, began) : null
  if (fault !== null) account.excused(fault)
  else account.breach(`after ${Math.round(performance.now() - began)} ms: ${describe(error)}`)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.name}: ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
}

/** Waits so long, or until the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}
