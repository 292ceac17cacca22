import type { SecuredIndex } from '../../access/secured-index.ts'
import type { Expression } from '../../shapes/plan.ts'
import { createAliases } from '../aliases.ts'
import { expandSource } from '../expand.ts'
import { planRequest } from '../plan-request.ts'
import { allRows } from '../restrictions.ts'
import { noFilters } from '../row-conditions.ts'
import { createExpander, readCubes } from '../tables.ts'
import { columnOf } from './plain-columns.ts'
import { partitionCondition, type RollupBuild } from './plan-build.ts'
import { type RollupId, rollupOf } from './rollup.ts'

/** A column of a cube's own rows. */
export interface RowColumn {
  readonly name: string
  /** Given as text, with all its digits. */
  readonly asText: boolean
}

/** The statement for the rows of a cube, and whose tables it reads. */
export interface PlannedRows {
  readonly statement: Expression
  readonly cubes: readonly string[]
}

/**
 * Plans the statement for the rows of a cube that an `original_sql` keeps, or of one partition: those of everybody.
 *
 * @param columns which, in their order; null: all there are
 * @param isEmpty whether no row is wanted, to learn of the columns
 */
export function planKeptRows(
  index: SecuredIndex,
  id: RollupId,
  { timezone, partition }: RollupBuild,
  { columns, isEmpty }: { readonly columns: readonly RowColumn[] | null; readonly isEmpty: boolean },
): PlannedRows {
  const rollup = rollupOf(index, id)
  const cube = index.cube(id.cube)
  const expander = createExpander(
    index,
    timezone,
    planRequest(noFilters, () => ({})),
    createAliases(),
    allRows,
    (_, owner, dimension) => {
      throw new Error(`Rows that are kept are told apart by the sub-query '${owner}.${dimension}'`)
    },
  )
  const alias = expander.tableAlias(id.cube)
  const source = expandSource(expander, cube)
  const condition = partition ? partitionCondition(expander, rollup, partition) : null
  const conditions = [
    ...(condition ? [{ kind: 'condition', condition } as const] : []),
    ...(isEmpty ? ['1 = 0'] : []),
  ].flatMap((part, position) => (position === 0 ? ['\nWHERE ', part] : [' AND ', part]))
  const from = cube.source.kind === 'query' ? ['(\n', source, '\n) AS '] : [source, ' AS ']
  const statement: Expression = {
    kind: 'sql',
    parts: [
      'SELECT ',
      ...(columns === null ? ['*'] : selected(alias, columns)),
      '\nFROM ',
      ...from,
      { kind: 'identifier', name: alias },
      ...conditions,
    ],
  }
  return { statement, cubes: readCubes(index, [id.cube]) }
}

const selected = (alias: string, columns: readonly RowColumn[]): (string | Expression)[] =>
  columns.flatMap(({ name, asText }, position): (string | Expression)[] => {
    const column = columnOf(alias, name)
    return [
      position === 0 ? '' : ', ',
      asText ? { kind: 'concatenation', parts: [column] } : column,
      ' AS ',
      { kind: 'identifier', name },
    ]
  })
