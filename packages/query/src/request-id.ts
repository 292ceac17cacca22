/** Retries of one request number themselves behind `-span-` (contract/behaviour/query.md, section 5). */
export const requestOf = (requestId: string) => requestId.replace(/-span-\d+$/, '')
