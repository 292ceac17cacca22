import { createHash } from 'node:crypto'
import { createCounts } from '../counts.ts'
import { socketLimits } from './socket-limits.ts'
import { isContinueWait, type RunSocketQuery, type SocketQuery } from './socket-query.ts'

/** A result or an error of a subscribed query. */
export type Outcome = { readonly text: string } | { readonly error: unknown }

/** Somebody who is told when the result of a query is another one. */
export interface Subscriber {
  readonly query: SocketQuery
  /** Whether nothing can be told now; the next round tries again with what is newest then. */
  isBusy(): boolean
  tell(outcome: Outcome): void
}

interface Subscribed {
  readonly subscriber: Subscriber
  /** What the subscriber was told last. */
  told: string
}

interface Group {
  readonly query: SocketQuery
  readonly members: Set<Subscribed>
}

export interface Subscriptions {
  /** @param shown what the subscriber has seen already. @returns ends the subscription; null where there are too many. */
  add(subscriber: Subscriber, shown: Outcome): (() => void) | null
  /** How many queries are run again and again, for however many subscribers each. */
  count(): number
  close(): void
}

/**
 * Runs subscribed queries again every few seconds, the same of one token once for all who subscribed, and tells those to whom the
 * result is a new one (contract/behaviour/query.md section 9). A query that is slow is left to end while others go on.
 */
export function createSubscriptions(run: RunSocketQuery): Subscriptions {
  const groups = new Map<string, Group>()
  const ofDeployment = createCounts<number>()
  const stopping = new AbortController()
  const running = new Set<Group>()
  const timer = setInterval(round, socketLimits.refreshMs)
  timer.unref()

  return {
    add(subscriber, shown) {
      const { deploymentId } = subscriber.query.address
      if (ofDeployment.of(deploymentId) >= socketLimits.subscriptionsOfDeployment) return null
      const leave = ofDeployment.add(deploymentId)
      const key = keyOf(subscriber.query)
      const group = groups.get(key) ?? { query: subscriber.query, members: new Set<Subscribed>() }
      groups.set(key, group)
      const subscribed = { subscriber, told: identityOf(shown) }
      group.members.add(subscribed)
      return () => {
        if (!group.members.delete(subscribed)) return
        if (group.members.size === 0) groups.delete(key)
        leave()
      }
    },
    count: () => groups.size,
    close() {
      clearInterval(timer)
      stopping.abort(new Error('the server is stopping'))
      groups.clear()
    },
  }

  function round(): void {
    const due = [...groups.values()].filter(group => !running.has(group))
    const workers = Math.max(0, socketLimits.refreshes - running.size)
    for (let worker = 0; worker < Math.min(workers, due.length); worker++) void work(due)
  }

  async function work(due: Group[]): Promise<void> {
    for (let group = due.shift(); group !== undefined; group = due.shift()) {
      if (running.has(group) || group.members.size === 0) continue
      running.add(group)
      try {
        await refresh(group)
      } finally {
        running.delete(group)
      }
    }
  }

  async function refresh({ query, members }: Group): Promise<void> {
    const outcome = await outcomeOf(() => run(query, stopping.signal))
    if (stopping.signal.aborted || ('error' in outcome && isContinueWait(outcome.error))) return
    const identity = identityOf(outcome)
    for (const subscribed of members) {
      if (subscribed.told === identity || subscribed.subscriber.isBusy()) continue
      subscribed.told = identity
      subscribed.subscriber.tell(outcome)
    }
  }
}

async function outcomeOf(ask: () => Promise<string>): Promise<Outcome> {
  try {
    return { text: await ask() }
  } catch (error) {
    return { error }
  }
}

const keyOf = ({ address, token, parameters }: SocketQuery) =>
  JSON.stringify([address.deploymentId, address.branchName, token, parameters])

/**
 * When a result was made, of which tables and for whom, and whether a younger one is on its way, is no part of what it says. Inside JSON
 * strings quotes are escaped, so only keys are meant.
 */
const circumstances =
  /"(?:lastRefreshTime|requestId)":"[^"]*"|"slowQuery":(?:true|false)|"(?:usedPreAggregations|refreshKeyValues)":.*?(?=,"transformedQuery":)/g

function identityOf(outcome: Outcome): string {
  const content = 'text' in outcome ? outcome.text.replace(circumstances, '') : `error ${String(outcome.error)}`
  return createHash('sha256').update(content).digest('base64')
}
