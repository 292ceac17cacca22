import type { AskedFilter, Question } from '../shapes/question.ts'
import type { DayRange } from '../times/calendar.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import type { Asked } from './asked.ts'
import { type Selected, selectDimension, selectMeasure, selectTime } from './columns.ts'
import { conditionOf, conditionOfDays, conditionsOfRange, operators } from './conditions.ts'
import { numeral, quoted } from './sql-text.ts'
import type { AnswerColumn, Statement } from './statement.ts'
import { tablesOf } from './tables-of.ts'
import { writeAverage } from './write-average.ts'
import { writeExtremes } from './write-extremes.ts'

/**
 * The statement of the SQL API that a question is. Names are looked up in the model and quoted, texts are literals with their quotes
 * doubled: nothing of the question's own text is SQL.
 */
export function writeStatement(question: Question, vocabulary: Vocabulary): Statement {
  const { compare, share, changes, time, measures } = question
  if (question.extremes !== null) return writeExtremes(question, question.extremes, vocabulary, conditionsIn(question))
  const groups = groupsOf(question, vocabulary)
  const selected = distinctNames([...groups, ...measures.map(measure => selectMeasure(vocabulary, measure))])
  const asked: Asked = {
    question,
    vocabulary,
    groups: selected.slice(0, groups.length),
    values: selected.slice(groups.length),
  }
  if (compare && time?.range) return writeComparison(asked, compare, time.range)
  if (changes) return writeChanges(asked)
  if (question.running) return writeRunning(asked)
  if (share === 'ofTotal') return writeShares(asked)
  if (share) return writePart(asked, share.filters)
  if (question.average !== null) return writeAverage(asked, select(asked))
  return { sql: ordered(select(asked), asked), columns: columnsOf([...asked.groups, ...asked.values]) }
}

const columnsOf = (selected: readonly Selected[]): AnswerColumn[] => selected.map(({ column }) => column)

export function groupsOf({ time, dimensions }: Question, vocabulary: Vocabulary): Selected[] {
  const period = time ? selectTime(time) : null
  return [...(period ? [period] : []), ...dimensions.map(name => selectDimension(vocabulary, name))]
}

/** Columns of one name, such as `orders.count` and `customers.count`, get numbers. */
function distinctNames(selected: readonly Selected[]): Selected[] {
  const counts = new Map<string, number>()
  return selected.map(each => {
    const { name } = each.column
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count === 1 ? each : { ...each, column: { ...each.column, name: `${name}_${count}` } }
  })
}

interface Changes {
  readonly range?: DayRange | null
  readonly filters?: readonly AskedFilter[]
  /** Other names for the columns. */
  readonly names?: readonly string[]
}

/** `SELECT … FROM … WHERE … GROUP BY … HAVING …`. */
function select({ question, vocabulary, groups, values }: Asked, changes: Changes = {}): string {
  const { time, having } = question
  const range = changes.range === undefined ? (time?.range ?? null) : changes.range
  const filters = changes.filters ?? question.filters
  const columns = [...groups, ...values]
  const selected = columns.map(
    ({ expression, column }, index) => `${expression} AS ${quoted(changes.names?.[index] ?? column.name)}`,
  )
  const conditions = conditionsIn(question, { range, filters })
  const thresholds = having.map(({ measure, operator, value }) => {
    const { expression } = selectMeasure(vocabulary, measure)
    return `${expression} ${operators[operator]} ${numeral(value)}`
  })
  return [
    `SELECT ${selected.join(', ')}`,
    `FROM ${tablesOf(question).map(quoted).join(' CROSS JOIN ')}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...(groups.length > 0 ? [`GROUP BY ${groups.map((_, index) => index + 1).join(', ')}`] : []),
    ...(thresholds.length > 0 ? [`HAVING ${thresholds.join(' AND ')}`] : []),
  ].join(' ')
}

/** All conditions on rows, or those with another period or other filters in the place of some. */
const conditionsIn = (
  { time, filters }: Question,
  other: { readonly range?: DayRange | null; readonly filters?: readonly AskedFilter[] } = {},
): string[] => {
  const range = other.range === undefined ? (time?.range ?? null) : other.range
  return [
    ...(other.filters ?? filters).map(conditionOf),
    ...(time && range ? conditionsOfRange(time.dimension, range) : []),
    ...(time?.days ? [conditionOfDays(time.dimension, time.days)] : []),
  ]
}

/** Times run forward; else the largest come first. */
function ordered(sql: string, { question, groups, values }: Asked): string {
  if (groups.length === 0) return sql
  const { order, limit, measures } = question
  const isTimed = groups[0]?.column.role === 'time' || groups[0]?.column.role === 'part'
  const byGroups = groups.map((_, index) => String(index + 1))
  const first = groups.length + 1
  const byMeasure = `${first} ${order?.descending === false ? 'ASC' : 'DESC'} NULLS LAST`
  const usesMeasure = measures.length > 0 && values.length > 0 && (order ? order.by === 'measure' : !isTimed)
  const keys = usesMeasure ? [byMeasure, ...byGroups] : byGroups
  return `${sql} ORDER BY ${keys.join(', ')}${limit === null ? '' : ` LIMIT ${limit}`}`
}

/** Two periods side by side, with the difference. */
function writeComparison(
  { question, vocabulary, groups, values }: Asked,
  before: DayRange,
  range: DayRange,
): Statement {
  const [value] = values
  const keyed = question.dimensions.map(name => selectDimension(vocabulary, name))
  // Periods of a compared range do not meet each other's dates: only other groups are compared.
  const keys = groups.filter(({ column }) => column.role === 'dimension')
  const asked: Asked = {
    question,
    vocabulary,
    groups: keys.length === keyed.length ? keys : keyed,
    values: value ? [value] : [],
  }
  const names = [...keyed.map((_, index) => `key_${index + 1}`), 'value']
  const later = select(asked, { range, names })
  const earlier = select(asked, { range: before, names })
  const name = value?.column.name ?? 'value'
  const selected = [
    ...keyed.map(
      ({ column }, index) => `COALESCE(later.key_${index + 1}, earlier.key_${index + 1}) AS ${quoted(column.name)}`,
    ),
    `earlier.value AS ${quoted(`${name}_before`)}`,
    `later.value AS ${quoted(name)}`,
    `later.value - earlier.value AS ${quoted('change')}`,
    `1.0 * (later.value - earlier.value) / NULLIF(earlier.value, 0) AS ${quoted('relative_change')}`,
  ]
  const on = keyed.map(
    (_, index) =>
      `(later.key_${index + 1} = earlier.key_${index + 1} OR (later.key_${index + 1} IS NULL AND earlier.key_${index + 1} IS NULL))`,
  )
  const join = keyed.length === 0 ? 'CROSS JOIN' : 'FULL JOIN'
  const condition = keyed.length === 0 ? '' : ` ON ${on.join(' AND ')}`
  const direction = question.order?.descending === false ? 'ASC' : 'DESC'
  // Behind the groups stand the value before, the value, and the change.
  const ordering = keyed.length + (question.order?.by === 'change' ? 3 : 2)
  const order =
    keyed.length === 0
      ? ''
      : ` ORDER BY ${ordering} ${direction} NULLS LAST, ${keyed.map((_, index) => index + 1).join(', ')}`
  const limit = question.limit === null || keyed.length === 0 ? '' : ` LIMIT ${question.limit}`
  const format = value?.column.format ?? { kind: 'number', currency: null, grain: null, unit: null }
  const title = value?.column.title ?? ''
  return {
    sql: `SELECT ${selected.join(', ')} FROM (${later}) AS later ${join} (${earlier}) AS earlier${condition}${order}${limit}`,
    columns: [
      ...columnsOf(keyed),
      { name: `${name}_before`, title: `${title} before`, role: 'before', format },
      { name, title, role: 'measure', format },
      { name: 'change', title: 'Change', role: 'change', format },
      {
        name: 'relative_change',
        title: 'Relative change',
        role: 'share',
        format: { ...format, kind: 'percent', currency: null, unit: null },
      },
    ],
  }
}

/** Each period with its difference to the one before, within each group. */
function writeChanges(asked: Asked): Statement {
  const { groups, values } = asked
  const [value] = values
  const [period, ...others] = groups
  if (!value || !period) throw new Error('changes of nothing, or over no time')
  const within = others.map(({ column }) => `series.${quoted(column.name)}`).join(', ')
  const window = `(${within === '' ? '' : `PARTITION BY ${within} `}ORDER BY series.${quoted(period.column.name)})`
  const names = [...groups, ...values].map(({ column }) => `series.${quoted(column.name)}`)
  const measured = `series.${quoted(value.column.name)}`
  const inner = select(asked)
  return {
    sql: `SELECT ${names.join(', ')}, ${measured} - LAG(${measured}) OVER ${window} AS ${quoted('change')} FROM (${inner}) AS series ORDER BY ${groups.map((_, index) => index + 1).join(', ')}`,
    columns: [
      ...columnsOf([...groups, ...values]),
      { ...value.column, name: 'change', title: 'Change', role: 'change' },
    ],
  }
}

/** All until the end of each period. */
function writeRunning(asked: Asked): Statement {
  const [period] = asked.groups
  const [value] = asked.values
  if (!value || !period) throw new Error('all of nothing, or over no time')
  const [time, measured] = [period, value].map(({ column }) => `series.${quoted(column.name)}`)
  return {
    sql: `SELECT ${time}, SUM(${measured}) OVER (ORDER BY ${time}) AS ${quoted(value.column.name)} FROM (${select(asked)}) AS series ORDER BY 1`,
    columns: columnsOf([period, value]),
  }
}

const shareColumn: AnswerColumn = {
  name: 'share',
  title: 'Share',
  role: 'share',
  format: { kind: 'percent', currency: null, grain: null, unit: null },
}

/** Each group's part of all groups. */
function writeShares(asked: Asked): Statement {
  const { groups, values, question } = asked
  const [value] = values
  if (!value) throw new Error('a share of nothing')
  const names = [...groups, value].map(({ column }) => `parts.${quoted(column.name)}`)
  const measured = `parts.${quoted(value.column.name)}`
  const inner = select({ ...asked, values: [value] })
  const sql = `SELECT ${names.join(', ')}, 1.0 * ${measured} / NULLIF(SUM(${measured}) OVER (), 0) AS ${quoted('share')} FROM (${inner}) AS parts`
  return {
    sql: ordered(sql, { ...asked, values: [value], question }),
    columns: [...columnsOf([...groups, value]), shareColumn],
  }
}

/** What of the whole some conditions leave. */
function writePart(asked: Asked, partFilters: readonly AskedFilter[]): Statement {
  const { question, values, groups } = asked
  const [value] = values
  if (!value) throw new Error('a share of nothing')
  const rest = question.filters.filter(filter => !partFilters.includes(filter))
  const keys = groups.map((_, index) => `key_${index + 1}`)
  const one = { ...asked, values: [value] }
  const part = select(one, { filters: [...rest, ...partFilters], names: [...keys, 'value'] })
  const whole = select(one, { filters: rest, names: [...keys, 'value'] })
  const on = keys.map(key => `(part.${key} = whole.${key} OR (part.${key} IS NULL AND whole.${key} IS NULL))`)
  const join = keys.length === 0 ? `CROSS JOIN (${part}) AS part` : `LEFT JOIN (${part}) AS part ON ${on.join(' AND ')}`
  const selected = [
    ...groups.map(({ column }, index) => `whole.key_${index + 1} AS ${quoted(column.name)}`),
    `part.value AS ${quoted(value.column.name)}`,
    `whole.value AS ${quoted('of_all')}`,
    `1.0 * part.value / NULLIF(whole.value, 0) AS ${quoted('share')}`,
  ]
  const order = groups.length === 0 ? '' : ` ORDER BY ${groups.map((_, index) => index + 1).join(', ')}`
  return {
    sql: `SELECT ${selected.join(', ')} FROM (${whole}) AS whole ${join}${order}`,
    columns: [
      ...columnsOf([...groups, value]),
      { ...value.column, name: 'of_all', title: `All ${value.column.title.toLowerCase()}`, role: 'before' },
      shareColumn,
    ],
  }
}
