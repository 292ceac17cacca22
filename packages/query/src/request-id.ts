const span = /-span-\d+$/

/**
 * What names a request beside others. Retries of one request number themselves behind `-span-` (contract/behaviour/query.md,
 * section 5); requests of different owners are never one, whatever ids they choose.
 */
export const requestOf = (requestId: string, owner = '') => `${owner} ${requestId.replace(span, '')}`

/**
 * By what a request is known again when it comes back, as it was told to. Without a numbered span that is its owner: what it is called
 * may have been made up on its way, as gateways do, and be another name each time.
 */
export const returnerOf = (requestId: string, owner = '') =>
  span.test(requestId) ? requestOf(requestId, owner) : owner
