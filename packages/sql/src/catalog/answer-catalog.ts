import type { Node } from 'libpg-query'
import { notSupported } from './catalog-error.ts'
import type { CatalogView } from './catalog-view.ts'
import { writeValue } from './evaluate/cast.ts'
import { compileSelect } from './evaluate/compile-select.ts'
import type { Compiler } from './evaluate/expression.ts'
import { createRun } from './evaluate/run.ts'
import { typeByName } from './values/types.ts'

/** PostgreSQL's tree of a statement; plain data. */
export type CatalogTree = Node

/** A statement over the catalogs, understood. */
export interface CatalogStatement {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** Types of `$1`, `$2`, …. */
  readonly parameters: readonly string[]
  /**
   * @param values texts of the parameters.
   * @param isOver whether whoever waits has waited long enough, or so much work is too much; asked now and then.
   * @returns cells as PostgreSQL's text.
   * @throws {CatalogError}
   */
  run(values: readonly (string | null)[], isOver: (work: number) => boolean): readonly (readonly (string | null)[])[]
}

/**
 * Understands a SELECT over `pg_catalog`, `information_schema` and nothing. It is computed here, over rows made from the model, by an
 * interpreter that has no other tables, no files and no functions but its own; its work is bounded.
 *
 * @param parameterTypes names of types that the client declared; undefined: to be found out.
 * @throws {CatalogError}
 */
export function understandCatalogStatement(
  view: CatalogView,
  node: CatalogTree,
  parameterTypes: readonly (string | undefined)[],
): CatalogStatement {
  const compiler: Compiler = {
    view,
    parameterTypes: [...parameterTypes],
    select: (inner, outer) => {
      if (!('SelectStmt' in inner)) throw notSupported('this kind of statement')
      return compileSelect(compiler, inner.SelectStmt, outer)
    },
  }
  const relation = compiler.select(node, null)
  const columns = relation.columns.map(({ name, type }) => ({ name, type: typeByName(type) ? type : 'text' }))
  return {
    columns,
    parameters: compiler.parameterTypes.map(type => type ?? 'text'),
    run(values, isOver) {
      const run = createRun(values, isOver)
      const rows = relation.rows({ row: [], outer: null, run })
      return rows.map(row => relation.columns.map(({ type }, index) => writeValue(view, type, row[index] ?? null)))
    },
  }
}
