import type { Node } from 'libpg-query'

/** What a statement reads from. */
interface Reads {
  readonly catalogs: Set<string>
  /** Tables that are no catalogs, and no queries of its own WITH. */
  readonly others: Set<string>
  readonly common: Set<string>
}

/**
 * Whether a statement is about the catalogs, or about nothing: then it is answered without the model's data. A statement that
 * reads both is not.
 *
 * @param isTable whether the model has a table of this name: a table hides a catalog that is named without its schema.
 */
export function isCatalogStatement(node: Node, isTable: (name: string) => boolean): boolean {
  return catalogsOf(node, isTable) !== null
}

/** The catalogs that a statement reads, by their names without schemas; null where it reads anything else. */
export function catalogsOf(node: Node, isTable: (name: string) => boolean): ReadonlySet<string> | null {
  const reads: Reads = { catalogs: new Set(), others: new Set(), common: new Set() }
  visit(node, reads, isTable)
  return [...reads.others].every(name => reads.common.has(name)) ? reads.catalogs : null
}

function visit(value: unknown, reads: Reads, isTable: (name: string) => boolean): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, reads, isTable)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [kind, inner] of Object.entries(value)) {
    if (kind === 'RangeVar') note(inner, reads, isTable)
    else if (kind === 'CommonTableExpr') reads.common.add(String(Reflect.get(inner, 'ctename')))
    visit(inner, reads, isTable)
  }
}

function note(
  { schemaname, relname = '' }: { schemaname?: string; relname?: string },
  { catalogs, others }: Reads,
  isTable: (name: string) => boolean,
): void {
  const isCatalog =
    schemaname === undefined
      ? relname.startsWith('pg_') && !isTable(relname)
      : schemaname === 'pg_catalog' || schemaname === 'information_schema'
  if (isCatalog) catalogs.add(relname)
  else others.add(schemaname === undefined ? relname : `${schemaname}.${relname}`)
}
