import type { QueryResult, Table } from '@hedron/query'

/** As the field's clients read answers of refresh keys: a list of rows for each key. */
export type RefreshKeyValues = readonly (readonly Readonly<Record<string, unknown>>[])[]

/**
 * With which values of the refresh keys an answer was found (contract/core-data.yaml, `refreshKeyValues`). Where time alone says when it
 * is old, or policies keep rows of the model from anybody, it is when the source was asked: that changes with every refresh, too.
 */
export function refreshKeyValues(
  { refreshAnswer }: Pick<QueryResult, 'refreshAnswer'>,
  refreshedAt: Date,
  isOpen: boolean,
): RefreshKeyValues {
  return refreshAnswer && isOpen ? [rowsOf(refreshAnswer)] : oneValue(refreshedAt.toISOString())
}

export const oneValue = (value: string): RefreshKeyValues => [[{ refresh_key: value }]]

const rowsOf = ({ columns, rows }: Table) =>
  rows.map(row => Object.fromEntries(columns.map(({ name }, position) => [name, row[position] ?? null])))
