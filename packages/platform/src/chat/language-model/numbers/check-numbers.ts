import { readNumbers, type WrittenNumber } from './read-numbers.ts'

/** What the numbers of an answer may come from. */
export interface NumberSources {
  /** Results of tools, in this turn and before it, as the language model read them. */
  readonly results: readonly string[]
  /** What was asked, and what the deployment's files say: numbers that are known without a query. */
  readonly said: readonly string[]
  readonly now: Date
}

/** Rows that a reader counts himself: `the 3 states`. */
const countable = 20

/**
 * Numbers of a text that nothing it was made from has, in their order (USERS.md row 20). Rounding, percent, thousands and millions are
 * the same number; dates and years of the data are none.
 */
export function numbersWithoutSource(text: string, { results, said, now }: NumberSources): string[] {
  const known = new Set<number>()
  for (const source of [...results, ...said]) for (const value of valuesIn(source)) known.add(value)
  const year = now.getUTCFullYear()
  known.add(year).add(year - 1)
  const most = Math.min(countable, Math.max(0, ...results.map(rowsIn)))
  const values = [...known]
  const isSourced = (number: WrittenNumber) =>
    number.readings.some(
      reading =>
        (number.isPlain && reading.value <= most) ||
        values.some(value => isRounded(reading, value) || (reading.isPercent && isRounded(reading, value * 100))),
    )
  return [...new Set(readNumbers(text).flatMap(number => (isSourced(number) ? [] : [number.text])))]
}

/** Whether a number is another one, as exactly as it is written; `about 13,000` is 12,987 too. */
function isRounded({ value, step }: { readonly value: number; readonly step: number }, exact: number): boolean {
  const beyond = Math.abs(exact) - value
  const difference = Math.abs(beyond)
  const slip = 1e-9 * value + 1e-12
  // Cut off is as right as rounded: `more than 2.9 million`.
  if (difference <= step / 2 + slip || (beyond > 0 && beyond < step - slip))
    return step <= value * 0.5 || difference <= slip
  const zeros = /0+$/.exec(String(Math.round(value)))?.[0].length ?? 0
  return value >= 100 && zeros > 0 && difference <= Math.min(10 ** zeros / 2, value * 0.05)
}

const numeral = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi

/** All numbers of a source, also of its texts and dates. */
function valuesIn(source: string): number[] {
  const plain = source.replace(/(\d),(?=\d{3}\b)/g, '$1')
  return [...plain.matchAll(numeral)].flatMap(([text]) => {
    const value = Math.abs(Number(text))
    return Number.isFinite(value) ? [value] : []
  })
}

/** How many rows a result shows. */
function rowsIn(result: string): number {
  const { length } = result.match(/\],\s*\[/g) ?? []
  return /"(?:rows|data)":\[\[/.test(result) ? length + 1 : 0
}
