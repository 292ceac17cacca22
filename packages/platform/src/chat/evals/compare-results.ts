import { valueKey } from './value-key.ts'

export interface ResultRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Why an answer is not what was wanted; null: it is; `undecided`: it can't be told in reasonable time. */
export type Difference =
  | 'Row count mismatch'
  | 'Unexpected rows'
  | 'Missing columns'
  | 'Value mismatch'
  | 'undecided'
  | null

/** Values that are looked at to match columns; more are needed only where many columns hold the same ones in another order. */
const mostWork = 5_000_000

/**
 * Holds the rows of an agent's query against those that are right (contract/behaviour/chat.md section 7, "Evals"): the order of rows and
 * the names of columns don't matter, numbers agree to four digits, and the agent may have more columns. Columns are matched by what
 * they hold.
 */
export function compareResults(wanted: ResultRows, given: ResultRows): Difference {
  const truth = columnsOf(wanted)
  const answer = columnsOf(given)
  if (wanted.rows.length !== given.rows.length) return differenceOfCounts(truth, answer, wanted, given)
  // Without rows nothing shows which columns are meant.
  if (wanted.rows.length === 0) return null
  if (answer.length < truth.length) return 'Missing columns'
  const profiles = answer.map(profileOf)
  const candidates = truth.map(column => {
    const profile = profileOf(column)
    return profiles.flatMap((other, index) => (other === profile ? [index] : []))
  })
  if (candidates.some(({ length }) => length === 0)) return 'Value mismatch'
  const expected = rowCounts(truth)
  const size = wanted.rows.length * truth.length
  let work = 0
  const isMatch = (chosen: readonly number[]): boolean => {
    const next = candidates[chosen.length]
    work += next === undefined ? size : next.length
    if (work > mostWork) return false
    if (next === undefined) {
      return sameCounts(expected, rowCounts(chosen.map(index => answer[index] ?? [])))
    }
    return next.some(index => !chosen.includes(index) && isMatch([...chosen, index]))
  }
  if (isMatch([])) return null
  return work > mostWork ? 'undecided' : 'Value mismatch'
}

type Column = readonly string[]

const columnsOf = ({ columns, rows }: ResultRows): readonly Column[] =>
  columns.map((_, index) => rows.map(row => valueKey(row[index])))

/** What a column holds, whatever the order. */
const profileOf = (column: Column): string => JSON.stringify([...column].sort())

function rowCounts(columns: readonly Column[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const [first = []] = columns
  for (const index of first.keys()) {
    const key = JSON.stringify(columns.map(column => column[index]))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const sameCounts = (left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): boolean =>
  left.size === right.size && [...left].every(([key, count]) => right.get(key) === count)

/** An answer with all that was wanted and more has rows that nobody asked for; every other one has another number of rows. */
function differenceOfCounts(
  truth: readonly Column[],
  answer: readonly Column[],
  wanted: ResultRows,
  given: ResultRows,
): Difference {
  const holdsAll =
    given.rows.length > wanted.rows.length &&
    truth.every(column => answer.some(other => isPartOf(new Set(column), new Set(other))))
  return holdsAll ? 'Unexpected rows' : 'Row count mismatch'
}

const isPartOf = (part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean =>
  [...part].every(key => whole.has(key))
