import type { Cell, Column, ColumnFormat, Result } from './result.ts'

/** A member as `annotation` of `/v1/load` describes it. */
export interface MemberAnnotation {
  readonly title?: string
  readonly shortTitle?: string
  readonly type?: string
  readonly format?: ColumnFormat
  readonly formatDescription?: { readonly specifier?: string; readonly currency?: string }
  readonly currency?: string
  readonly granularity?: { readonly name?: string } | string
}

/** The parts of an answer of `/v1/load` that are shown. */
export interface LoadAnswer {
  readonly query?: { readonly limit?: number | null }
  readonly annotation: {
    readonly measures?: Readonly<Record<string, MemberAnnotation>>
    readonly dimensions?: Readonly<Record<string, MemberAnnotation>>
    readonly timeDimensions?: Readonly<Record<string, MemberAnnotation>>
  }
  /** Rows by member name, or the compact form of `responseFormat: "compact"`. */
  readonly data:
    | readonly Readonly<Record<string, Cell>>[]
    | { readonly members: readonly string[]; readonly dataset: readonly (readonly Cell[])[] }
  /** All rows that the query has, where `total: true` asked for it. */
  readonly total?: number
}

/** The rows of `/v1/load`, with their members' titles and formats. Columns come in the order in which the answer has them. */
export function resultOfLoad(answer: LoadAnswer): Result {
  const { measures = {}, dimensions = {}, timeDimensions = {} } = answer.annotation
  const describe = (name: string): Column => {
    const measure = measures[name]
    const annotation = measure ?? timeDimensions[name] ?? dimensions[name]
    return columnOf(name, annotation ?? {}, measure !== undefined)
  }
  // Beside `orders.date.month` an answer repeats the value as `orders.date`, for clients that know no granularities.
  const isRepeated = (name: string) =>
    !(name in dimensions || name in measures) &&
    Object.keys(timeDimensions).some(
      other => other.startsWith(`${name}.`) && !other.slice(name.length + 1).includes('.'),
    )
  const { data, total } = answer
  const rest = total === undefined ? {} : { totalRows: total }
  if ('members' in data) return { columns: data.members.map(describe), rows: data.dataset, ...rest }
  const annotated = [...Object.keys(dimensions), ...Object.keys(timeDimensions), ...Object.keys(measures)]
  const [first] = data
  const names = first === undefined ? annotated : Object.keys(first).filter(name => !isRepeated(name))
  return { columns: names.map(describe), rows: data.map(row => names.map(name => row[name] ?? null)), ...rest }
}

function columnOf(name: string, annotation: MemberAnnotation, isMeasure: boolean): Column {
  const { title, shortTitle, type, format, formatDescription, granularity } = annotation
  const step = typeof granularity === 'string' ? granularity : granularity?.name
  const specifier = formatDescription?.specifier
  const currency = annotation.currency ?? formatDescription?.currency
  return {
    name,
    title: shortTitle ?? title ?? name,
    type: type === 'number' || type === 'time' || type === 'boolean' ? type : 'string',
    ...(isMeasure ? { isMeasure } : {}),
    ...(format === undefined ? {} : { format }),
    ...(specifier === undefined ? {} : { specifier }),
    ...(currency === undefined ? {} : { currency }),
    ...(step === undefined ? {} : { granularity: step }),
  }
}
