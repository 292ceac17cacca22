/** A value of the query that was given once; undefined for none and for several. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
