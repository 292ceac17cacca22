import { queryError } from '../messages/query-messages.ts'

const conditionLimit = 2_000
const valueLimit = 50_000

/**
 * Counts what a request asks to be planned, over all of its queries, and refuses more at once rather than late: what is planned for one
 * caller keeps every other caller waiting.
 */
export interface SizeMeter {
  /** One more filter, or group of filters. @throws {QueryError} `format` */
  condition(): void
  /** @throws {QueryError} `format` */
  values(count: number): void
}

export function createSizeMeter(): SizeMeter {
  let [conditions, values] = [0, 0]
  const refuse = (what: string) => queryError('format', { reason: `"filters" must hold no more than ${what}` })
  return {
    condition() {
      conditions += 1
      if (conditions > conditionLimit) throw refuse(`${conditionLimit} conditions`)
    },
    values(count) {
      values += count
      if (values > valueLimit) throw refuse(`${valueLimit} values. Join a table that holds them instead`)
    },
  }
}
