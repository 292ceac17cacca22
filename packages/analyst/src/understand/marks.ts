import type { Comparison } from '../shapes/question.ts'
import { scales } from '../words/numbers.ts'
import type { Token } from '../words/tokens.ts'
import { unitWords } from '../words/word-lists.ts'
import { furtherMarks } from './further-marks.ts'
import type { Mark } from './mark.ts'

export interface FoundMark {
  readonly mark: Mark
  readonly length: number
}

type MakeMark = (numbers: readonly Token[]) => Mark | null

const patterns = new Map<string, { readonly words: readonly string[]; readonly make: MakeMark }[]>()

/** `#` stands for a number. Alternatives are separated by `|`. */
function define(alternatives: string, make: MakeMark): void {
  for (const alternative of alternatives.split('|')) {
    const words = alternative.trim().split(/\s+/)
    const [first = ''] = words
    const others = patterns.get(first)
    if (others) others.push({ words, make })
    else patterns.set(first, [{ words, make }])
  }
}

const value = (token: Token | undefined) => token?.number ?? 0
const constant =
  (mark: Mark): MakeMark =>
  () =>
    mark

define(
  `by | per | for each | for every | each | every | in each | in every | across | broken down by | break down by
  | break it down by | breakdown by | breakdown of | split by | split it by | grouped by | group by | segmented by | by each | by every | within each | of each | depending on
  | according to | for the different | for different`,
  constant({ kind: 'group' }),
)

const highest = 'most|highest|largest|biggest|greatest|top|best|leading'
const lowest = 'least|fewest|lowest|smallest|bottom|worst'
const judging = new Set(['best', 'worst'])
for (const [words, descending] of [
  [highest, true],
  [lowest, false],
] as const) {
  for (const word of words.split('|')) {
    const isJudging = judging.has(word)
    define(`${word}`, constant({ kind: 'top', count: null, descending, ofRows: false, isJudging }))
    define(`${word} #|# ${word}`, ([number]) => {
      const count = value(number)
      return Number.isInteger(count) && count >= 1 && count <= 1_000
        ? { kind: 'top', count, descending, ofRows: false, isJudging }
        : null
    })
  }
}
define('busiest | most popular | most common | most frequent | most often | most frequently | most active', () => ({
  kind: 'top',
  count: null,
  descending: true,
  ofRows: true,
  isJudging: false,
}))
define('# busiest | # most popular | # most common | # most frequent | busiest # | top # busiest', ([number]) => ({
  kind: 'top',
  count: value(number),
  descending: true,
  ofRows: true,
  isJudging: false,
}))
define('# least popular | # least common | # least frequent | # least busy | # quietest', ([number]) => ({
  kind: 'top',
  count: value(number),
  descending: false,
  ofRows: true,
  isJudging: false,
}))
define('least popular | least common | least frequent | least busy | quietest | least often', () => ({
  kind: 'top',
  count: null,
  descending: false,
  ofRows: true,
  isJudging: false,
}))

const comparisons: readonly (readonly [Comparison, string])[] = [
  [
    'gt',
    'more than #|over #|above #|greater than #|larger than #|higher than #|bigger than #|exceeding #|exceeds #|exceed #|exceeded #|longer than #|beyond #|> #|in excess of #|upwards of #',
  ],
  [
    'gte',
    'at least #|no less than #|no fewer than #|not less than #|# or more|# or higher|# or greater|# or above|>= #|a minimum of #|minimum #|# and up|# plus',
  ],
  ['lt', 'less than #|fewer than #|under #|below #|lower than #|smaller than #|shorter than #|< #'],
  [
    'lte',
    'at most #|no more than #|not more than #|up to #|# or less|# or fewer|# or lower|# or below|<= #|a maximum of #|no higher than #',
  ],
  ['equals', 'exactly #|equal to #|equals #|= #|precisely #'],
  ['notEquals', 'not equal to #|!= #|<> #'],
]
for (const [operator, words] of comparisons) {
  define(words, ([number]) => ({
    kind: 'compare',
    operator,
    value: value(number),
    isPercent: number?.word.endsWith('%') ?? false,
    unit: null,
  }))
}
/** Said of ages alone: of anything else that is counted it would be another question. */
for (const [operator, words] of [
  ['gt', 'older than #'],
  ['lt', 'younger than #'],
] as const) {
  define(words, ([number]) => ({ kind: 'compare', operator, value: value(number), isPercent: false, unit: 'age' }))
}
define('aged # to #|between # and # years old|from # to # years old', ([low, high]) => ({
  kind: 'between',
  low: value(low),
  high: value(high),
  unit: 'age',
}))
define('worth between # and #|worth # to #|worth from # to #', ([low, high]) => ({
  kind: 'between',
  low: value(low),
  high: value(high),
  unit: 'dollar',
}))
for (const [operator, words] of [
  ['gt', 'worth more than #|worth over #|worth above #'],
  ['gte', 'worth at least #|worth # or more'],
  ['lt', 'worth less than #|worth under #|worth below #'],
  ['lte', 'worth at most #|worth up to #|worth # or less'],
] as const) {
  define(words, ([number]) => ({ kind: 'compare', operator, value: value(number), isPercent: false, unit: 'dollar' }))
}
define('between # and #|from # to #', ([low, high]) => ({
  kind: 'between',
  low: value(low),
  high: value(high),
  unit: null,
}))

define(
  `not | not in | not from | not to | excluding | exclude | except | except for | except in | without | other than | outside | outside of | but not | non | neither | apart from
  | aside from | ignoring | ignore | isn't | aren't | wasn't | weren't | didn't | doesn't | don't | leaving out | leave out | excl | no`,
  constant({ kind: 'not' }),
)
define('average | mean | avg', constant({ kind: 'aggregate', function: 'avg' }))
define('total | sum | sum of | total of | combined | summed', constant({ kind: 'aggregate', function: 'sum' }))
for (const [words, mark] of furtherMarks) {
  define(words, constant(mark))
  if (mark.kind !== 'extreme') continue
  for (const word of words.split('|')) {
    define(`# ${word}|${word} #`, ([number]) => {
      const count = value(number)
      return Number.isInteger(count) && count >= 1 && count <= 1_000 ? { ...mark, count } : null
    })
  }
}
define('maximum | max', constant({ kind: 'aggregate', function: 'max' }))
define('minimum | min', constant({ kind: 'aggregate', function: 'min' }))
define(
  'how many | number of | the number of | count of | count | how often | no of | total number of | how many total',
  constant({ kind: 'count' }),
)
define(
  'distinct | different | unique | how many different | how many distinct | how many unique | number of different | number of distinct | number of unique',
  constant({ kind: 'distinct' }),
)
define(
  'share of | share | shares of | percentage of | percentage | percent of | percent | proportion of | proportion | fraction of | portion of | what part of | % of | % | how much of',
  constant({ kind: 'share', ofAll: false }),
)
define(
  `as share of all | as a share of all | as share of total | as a share of the total | as a percentage of all | as percentage of all | as a percentage of total
  | as a percentage of the total | as a proportion of all | as a fraction of all | as a percent of all | as percent of all | as % of all | as a % of all | as % of total`,
  constant({ kind: 'share', ofAll: true }),
)
// `the on time rate`: what part of all is on time.
define('rate', constant({ kind: 'share', ofAll: true }))
define(
  'versus | vs | compared with | compared to | compare | comparison | comparison of | against | relative to | in comparison with | in comparison to | difference between | compare to | compare with',
  constant({ kind: 'versus' }),
)
define(
  'change | changes | changed | growth | grow | grew | increase | increased | decrease | decreased | difference | rise | rose | fall | fell | drop | dropped | decline | declined | growing',
  constant({ kind: 'change', grain: null }),
)
define(
  'over time | trend | trend of | trends | trending | timeline | timeline of | history of | evolve | evolved | evolution of | developed | develop | development of | development',
  constant({ kind: 'trend' }),
)
for (const [grain, adverbs] of [
  ['hour', 'hourly'],
  ['day', 'daily'],
  ['week', 'weekly'],
  ['month', 'monthly'],
  ['quarter', 'quarterly'],
  ['year', 'yearly|annual|annually'],
] as const) {
  const forms = [
    `by ${grain}|per ${grain}|each ${grain}|every ${grain}|${grain} by ${grain}|a ${grain}|by the ${grain}|for each ${grain}|in each ${grain}|by ${grain}s`,
    `for every ${grain}|in every ${grain}|across ${grain}s|across the ${grain}s|broken down by ${grain}|split by ${grain}|grouped by ${grain}|over the ${grain}s|by calendar ${grain}`,
    adverbs,
  ]
  define(forms.join('|'), constant({ kind: 'grain', grain }))
  define(`${grain}|${grain}s`, constant({ kind: 'unit', grain }))
  define(
    `${grain} over ${grain}|${grain}-over-${grain}|from ${grain} to ${grain}|${grain} to ${grain}|${grain} on ${grain}`,
    constant({ kind: 'change', grain }),
  )
}
const weekday = ['day of week', 'day of the week', 'weekday', 'weekdays', 'days of the week']
const prefixes = ['by', 'per', 'on each', 'for each', 'each', 'every', 'which', 'what', '']
for (const prefix of prefixes) {
  for (const name of weekday) define(`${prefix} ${name}`, constant({ kind: 'part', part: 'weekday' }))
  for (const name of ['hour of day', 'hour of the day', 'time of day', 'time of the day', 'hours of the day'])
    define(`${prefix} ${name}`, constant({ kind: 'part', part: 'hour' }))
  for (const name of ['month of year', 'month of the year', 'calendar month'])
    define(`${prefix} ${name}`, constant({ kind: 'part', part: 'month' }))
}
for (const [chart, names] of [
  ['line', ['line', 'lines']],
  ['bar', ['bar', 'bars', 'column', 'columns']],
  ['pie', ['pie', 'donut', 'doughnut']],
  ['area', ['area']],
  ['scatter', ['scatter', 'scatterplot']],
  ['table', ['table', 'tabular']],
] as const) {
  for (const name of names) {
    const mark = constant({ kind: 'chart', chart })
    for (const noun of ['chart', 'graph', 'plot', 'diagram']) define(`${name} ${noun}|${name} ${noun}s`, mark)
    define(`as ${name}|as a ${name}|as an ${name}|in a ${name}|pie|scatterplot`.replace('|pie|scatterplot', ''), mark)
  }
}
define(
  'sorted by | ordered by | order by | sort by | ranked by | rank by | sort it by',
  constant({ kind: 'order', descending: null }),
)
define(
  'descending | desc | from highest to lowest | highest first | largest first | in descending order | biggest first',
  constant({ kind: 'order', descending: true }),
)
define(
  'ascending | asc | from lowest to highest | lowest first | smallest first | in ascending order',
  constant({ kind: 'order', descending: false }),
)
define(
  'which | what are the | what is the | list | list of | list the | list all | who | whose',
  constant({ kind: 'which' }),
)
define('what about | how about | and what about | and how about | now', constant({ kind: 'follow', way: 'about' }))
define('only | just', constant({ kind: 'follow', way: 'only' }))
define('also | additionally | too | as well | and also', constant({ kind: 'follow', way: 'also' }))
define(
  'why | why is that | why is this | how come | what explains | what explains this | what drove | what caused | what is driving | what drives',
  constant({ kind: 'why' }),
)

/** All marks that begin at a place. Numbers take the scale after them: `5 million`. */
export function marksAt(tokens: readonly Token[], place: number): FoundMark[] {
  const token = tokens[place]
  if (!token) return []
  const firsts = token.number === null ? [token.word] : [token.word, '#']
  return firsts
    .flatMap(first => (patterns.get(first) ?? []).flatMap(pattern => match(tokens, place, pattern) ?? []))
    .flatMap(found => withUnit(tokens, place, found))
}

/** `more than 60 minutes`: the unit belongs to the number, unless it is what is counted. */
function withUnit(tokens: readonly Token[], place: number, found: FoundMark): FoundMark[] {
  const { mark, length } = found
  const after = tokens[place + length]
  if ((mark.kind !== 'compare' && mark.kind !== 'between') || !after || !unitWords.has(after.stem)) return [found]
  if (mark.unit !== null) return [found]
  // `between 3 and 5 days long`
  const isSaid = ['long', 'late'].includes(tokens[place + length + 1]?.word ?? '')
  return [found, { mark: { ...mark, unit: after.stem }, length: length + (isSaid ? 2 : 1) }]
}

function match(
  tokens: readonly Token[],
  place: number,
  { words, make }: { readonly words: readonly string[]; readonly make: MakeMark },
): FoundMark | null {
  const numbers: Token[] = []
  let at = place
  for (const word of words) {
    const token = tokens[at]
    if (!token) return null
    if (word === '#') {
      if (token.number === null) return null
      const scale = tokens[at + 1] && token.number !== null ? (scales[tokens[at + 1]?.word ?? ''] ?? null) : null
      numbers.push(scale === null ? token : { ...token, number: token.number * scale })
      if (scale !== null) at++
    } else if (token.word !== word) return null
    at++
  }
  const mark = make(numbers)
  return mark ? { mark, length: at - place } : null
}
