/** Oids that every PostgreSQL has. */
export const oids = {
  pgCatalog: 11,
  public: 2200,
  informationSchema: 13_000,
  pgToast: 99,
  database: 16_384,
  superuser: 10,
  user: 16_383,
  heap: 2,
  btree: 403,
} as const

const firstFree = 100_000
const range = 2_000_000_000

/**
 * Gives each name an oid that stays the same when other names come and go, so that what a client remembers goes on to mean the same.
 *
 * @param taken oids that are given already; grows.
 */
export function oidOf(name: string, taken: Set<number>): number {
  // FNV-1a
  let hash = 0x811c9dc5
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  let oid = firstFree + (hash % range)
  while (taken.has(oid)) oid += 1
  taken.add(oid)
  return oid
}
