import type { Client } from '../client.ts'
import { post } from '../data-client.ts'
import { comparableCell, difference, isSame } from '../questions.ts'
import { Refusal, WrongAnswer } from '../refusal.ts'
import type { World } from '../world.ts'
import { statusCounts } from './sql-clients.ts'

interface GraphqlAnswer {
  readonly data?: { readonly cube: readonly { readonly orders: Readonly<Record<string, unknown>> }[] } | null
  readonly errors?: readonly { readonly message: string }[]
  readonly error?: string
}

const query = '{ cube { orders(orderBy: { status: asc }) { status count } } }'
const patience = 90_000

export function createGraphqlClients({ shop }: World): readonly Client[] {
  return [{ name: 'GraphQL', count: 2, pause: 60, once }]

  async function once(): Promise<void> {
    const deadline = performance.now() + patience
    for (;;) {
      const { data, errors } = await post<GraphqlAnswer>(shop, 'graphql', { query })
      const [error] = errors ?? []
      if (error?.message === 'Continue wait' && performance.now() < deadline) continue
      if (error) throw new Refusal(error.message)
      const rows = data?.cube.map(({ orders }) => [orders.status, comparableCell(orders.count)])
      if (!isSame(rows, statusCounts)) throw new WrongAnswer(difference(rows, statusCounts))
      return
    }
  }
}
