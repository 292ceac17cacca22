/**
 * What names a request beside others. Retries of one request number themselves behind `-span-` (contract/behaviour/query.md,
 * section 5); requests of different owners are never one, whatever ids they choose.
 */
export const requestOf = (requestId: string, owner = '') => `${owner} ${requestId.replace(/-span-\d+$/, '')}`
