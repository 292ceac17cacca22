import { fieldOf, isRecord, type JsonRecord } from '../framework/json.ts'
import type { Column } from '../framework/table.ts'

/** One answered query as a table: dimensions first, then time, then measures, numbers to the right. */
export interface ResultTable {
  readonly columns: readonly Column[]
  readonly rows: readonly unknown[]
}

/** The tables of an answer of the data API; a query that compares or blends has one for each of its parts. */
export function resultTables(answer: unknown): readonly ResultTable[] {
  const results = fieldOf(answer, 'results')
  return (Array.isArray(results) ? results : [answer]).map(resultTable)
}

function resultTable(result: unknown): ResultTable {
  const rows = rowRecords(fieldOf(result, 'data'))
  const annotation = fieldOf(result, 'annotation')
  const columns = columnNames(fieldOf(result, 'query'), rows).map(name => ({
    title: name,
    value: (row: unknown) => (isRecord(row) ? row[name] : undefined),
    align: isNumeric(name, annotation, rows) ? ('right' as const) : ('left' as const),
  }))
  return { columns, rows }
}

/** Rows by member, also from the two packed forms that a query can ask for. */
function rowRecords(data: unknown): readonly JsonRecord[] {
  if (Array.isArray(data)) return data.filter(isRecord)
  const members = fieldOf(data, 'members')
  if (!Array.isArray(members)) return []
  const record = (valueAt: (index: number) => unknown): JsonRecord =>
    Object.fromEntries(members.map((member, index) => [String(member), valueAt(index)]))
  const dataset = fieldOf(data, 'dataset')
  if (Array.isArray(dataset)) return dataset.filter(Array.isArray).map(row => record(index => row[index]))
  const columns = fieldOf(data, 'columns')
  if (!Array.isArray(columns)) return []
  const [first] = columns
  const count = Array.isArray(first) ? first.length : 0
  return Array.from({ length: count }, (_, row) =>
    record(index => {
      const column: unknown = columns[index]
      return Array.isArray(column) ? column[row] : undefined
    }),
  )
}

/** Members in the order of the query; what the rows carry beyond it is left out, unless the query says nothing. */
function columnNames(query: unknown, rows: readonly JsonRecord[]): readonly string[] {
  const times = listAt(query, 'timeDimensions').flatMap(time => {
    const dimension = fieldOf(time, 'dimension')
    const granularity = fieldOf(time, 'granularity')
    return typeof dimension === 'string' && typeof granularity === 'string' ? [`${dimension}.${granularity}`] : []
  })
  const names = [...listAt(query, 'dimensions'), ...times, ...listAt(query, 'measures')].filter(
    name => typeof name === 'string',
  )
  const present = new Set(rows.flatMap(row => Object.keys(row)))
  const compared = present.has('compareDateRange') ? ['compareDateRange'] : []
  const known = [...compared, ...names].filter(name => rows.length === 0 || present.has(name))
  return known.length > 0 ? [...new Set(known)] : [...present]
}

function isNumeric(name: string, annotation: unknown, rows: readonly JsonRecord[]): boolean {
  for (const section of ['measures', 'dimensions', 'timeDimensions']) {
    const members = fieldOf(annotation, section)
    const type = isRecord(members) ? fieldOf(members[name], 'type') : undefined
    if (type !== undefined) return type === 'number'
  }
  const values = rows.map(row => row[name]).filter(value => value !== null && value !== undefined)
  return values.length > 0 && values.every(value => typeof value === 'number')
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}
