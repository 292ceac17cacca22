import type { AskedMeasure, AskedTime } from '../shapes/question.ts'
import type { NamedMember, Vocabulary } from '../vocabulary/vocabulary.ts'
import { columnOf, literal } from './sql-text.ts'
import type { AnswerColumn, ValueFormat } from './statement.ts'

/** A column of a statement: what it is computed by, and what it is called. */
export interface Selected {
  readonly expression: string
  readonly column: AnswerColumn
}

const plainFormat: ValueFormat = { kind: 'number', currency: null, grain: null, unit: null }

/** `Delay in minutes` is in minutes. */
const unitIn = (title: string): string | null =>
  / in (minutes|hours|seconds|days|weeks|months|years|miles|kilometers|kilometres|km|kg|meters|metres)$/i
    .exec(title)?.[1]
    ?.toLowerCase() ?? null

function formatOf({ member }: NamedMember): ValueFormat {
  if (member.kind === 'dimension' && member.type !== 'number')
    return { ...plainFormat, kind: member.type === 'time' ? 'time' : 'text' }
  if (member.format === 'percent') return { ...plainFormat, kind: 'percent' }
  if (member.format === 'currency') return { ...plainFormat, kind: 'currency', currency: member.currency ?? 'USD' }
  if (member.kind === 'measure' && (member.type === 'string' || member.type === 'boolean'))
    return { ...plainFormat, kind: 'text' }
  if (member.type === 'time') return { ...plainFormat, kind: 'time' }
  return { ...plainFormat, unit: unitIn(member.shortTitle) }
}

const withoutUnit = (title: string) => (unitIn(title) ? title.replace(/ in \w+$/, '') : title)

/** How a measure or dimension is called in an answer. */
export const titleOf = ({ member }: NamedMember): string => withoutUnit(member.shortTitle)

const functionNames = { avg: 'Average', sum: 'Total', min: 'Lowest', max: 'Highest', distinct: 'Distinct' } as const

const find = (vocabulary: Vocabulary, name: string): NamedMember => {
  const named = vocabulary.find(name)
  if (!named) throw new Error(`a question about ${name}, which the model does not have`)
  return named
}

const lower = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)

/** The SQL expression of a measure and how it is shown. */
export function selectMeasure(vocabulary: Vocabulary, measure: AskedMeasure): Selected {
  if (measure.kind === 'ratio') {
    const [of, per] = [find(vocabulary, measure.of), find(vocabulary, measure.per)]
    return {
      expression: `1.0 * MEASURE(${columnOf(measure.of)}) / NULLIF(MEASURE(${columnOf(measure.per)}), 0)`,
      column: {
        name: `${of.column}_per_${per.column}`,
        title: `${titleOf(of)} per ${lower(titleOf(per)).replace(/s$/, '')}`,
        role: 'measure',
        format: formatOf(of).kind === 'currency' ? formatOf(of) : plainFormat,
      },
    }
  }
  const named = find(vocabulary, measure.member)
  if (measure.kind === 'measure') {
    return {
      expression: `MEASURE(${columnOf(measure.member)})`,
      column: { name: named.column, title: titleOf(named), role: 'measure', format: formatOf(named) },
    }
  }
  const column = columnOf(measure.member)
  const isDistinct = measure.function === 'distinct'
  return {
    expression: isDistinct ? `COUNT(DISTINCT ${column})` : `${measure.function.toUpperCase()}(${column})`,
    column: {
      name: isDistinct ? `distinct_${named.column}` : `${measure.function}_${named.column}`,
      title: `${functionNames[measure.function]} ${lower(titleOf(named))}${isDistinct ? ' values' : ''}`,
      role: 'measure',
      format: isDistinct ? plainFormat : formatOf(named),
    },
  }
}

export function selectDimension(vocabulary: Vocabulary, name: string): Selected {
  const named = find(vocabulary, name)
  return {
    expression: columnOf(name),
    column: {
      name: named.column,
      title: titleOf(named),
      role: 'dimension',
      format: { ...formatOf(named), unit: null },
    },
  }
}

const parts = { weekday: 'ISODOW', hour: 'HOUR', month: 'MONTH' } as const

const isWeekend = (dimension: string) =>
  `CASE WHEN EXTRACT(ISODOW FROM ${columnOf(dimension)}) IN (6, 7) THEN 'weekend' ELSE 'weekday' END`

/** The column that a time is grouped by, where it is. */
export function selectTime({ dimension, grain, part }: AskedTime): Selected | null {
  if (part === 'weekend') {
    const column = { name: part, title: 'Kind of day', role: 'part', format: { ...plainFormat, kind: 'text' } } as const
    return { expression: isWeekend(dimension), column }
  }
  if (part) {
    const title = { weekday: 'Weekday', hour: 'Hour of the day', month: 'Month of the year' }[part]
    return {
      expression: `EXTRACT(${parts[part]} FROM ${columnOf(dimension)})`,
      column: { name: part, title, role: 'part', format: plainFormat },
    }
  }
  if (grain === null) return null
  return {
    expression: `DATE_TRUNC(${literal(grain)}, ${columnOf(dimension)})`,
    column: {
      name: grain.replaceAll(/\W/g, '_'),
      title: grain.charAt(0).toUpperCase() + grain.slice(1).replaceAll('_', ' '),
      role: 'time',
      format: { ...plainFormat, kind: 'time', grain },
    },
  }
}
