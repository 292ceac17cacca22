/** Rows of a result, as `@hedron/ui` has them. */
interface Rows {
  readonly columns: readonly { readonly title: string }[]
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
  readonly totalRows?: number
}

/** Pairs of rows are compared up to so many rows of a result. */
const mostCompared = 60

/**
 * The figures of a text that no result has: neither a cell, nor the sum, mean, difference, ratio or share of cells of one column, each rounded as it is
 * written. Digits that stand in the question, in a text cell or a date, and the number of rows, are proven too.
 *
 * @param spoken other texts that a figure may come from, such as the question.
 */
export function unprovenFigures(text: string, results: readonly Rows[], spoken: readonly string[]): string[] {
  // Numbers of a list count its items.
  const unnumbered = text.replace(/^\s*\d+[.)]\s/gm, '')
  const values = results.flatMap(knownValues)
  const words = [...spoken, ...results.flatMap(wordsOf)].flatMap(each => each.match(/\d+/g) ?? [])
  const written = new Set(words.map(Number))
  return [
    ...new Set((unnumbered.match(figurePattern) ?? []).map(figure => figure.trim().replace(/[.,'’]+$/, ''))),
  ].filter(figure => !isProven(figure, values, written))
}

/** Digits with their separators, and what stands right behind them. */
const figurePattern =
  /(?<![\p{L}\d_])[-−]?\d[\d.,'’\u00a0\u202f]*(?:\s?(?:%|[kKmMbB](?!\p{L})|(?:thousand|million|billion)\b))?/gu

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  m: 1e6,
  b: 1e9,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
}

function isProven(figure: string, values: readonly number[], written: ReadonlySet<number>): boolean {
  const [, digits = '', unit = ''] = /^([-−]?[\d.,'’\u00a0\u202f]*\d)[.,]?\s?(\D*)$/.exec(figure) ?? []
  const isPercent = unit === '%'
  const scale = scales[unit.toLowerCase()] ?? 1
  return readings(digits).some(({ value, decimals }) => {
    if (unit === '' && Number.isInteger(value) && written.has(Math.abs(value))) return true
    const half = 0.5 * 10 ** -decimals * (1 + 1e-9)
    return values.some(known => {
      // A fall is written as its size: "down 12 %".
      const sizes = isPercent ? [known * 100, known] : [known / scale]
      return sizes.some(size => Math.abs(Math.abs(size) - Math.abs(value)) <= half)
    })
  })
}

/** What digits may mean, whichever sign the language has for decimals. */
function readings(digits: string): { readonly value: number; readonly decimals: number }[] {
  const plain = digits.replace(/[-−'’\u00a0\u202f]/g, '')
  const sign = /^[-−]/.test(digits) ? -1 : 1
  const read = (decimal: '.' | ',') => {
    const grouping = decimal === '.' ? ',' : '.'
    const parts = plain.split(grouping)
    // Groups are of three digits but for the first (of two in the Indian way).
    if (parts.slice(1).some((part, at) => !(at === parts.length - 2 ? /^\d{3}(?:\D|$)/ : /^\d{2,3}$/).test(part)))
      return []
    const number = parts.join('').replace(',', '.')
    const [, fraction = ''] = number.split('.')
    const value = Number(number)
    return Number.isNaN(value) ? [] : [{ value: sign * value, decimals: fraction.length }]
  }
  return [...read('.'), ...read(',')]
}

/** Cells, and what plain arithmetic makes of a column. */
function knownValues({ columns, rows, totalRows }: Rows): number[] {
  const perColumn = columns.map((_, at) => rows.map(row => numberOf(row[at])).filter(value => Number.isFinite(value)))
  return [
    rows.length,
    ...(totalRows === undefined ? [] : [totalRows]),
    ...perColumn.flatMap(cells => {
      if (cells.length === 0) return []
      const sum = cells.reduce((total, cell) => total + cell, 0)
      const shares = sum === 0 ? [] : cells.map(cell => cell / sum)
      const compared = cells.slice(0, mostCompared)
      const pairs = compared.flatMap((one, at) =>
        compared
          .slice(at + 1)
          .flatMap(other => [
            other - one,
            ...(one === 0 ? [] : [other / one, (other - one) / one]),
            ...(other === 0 ? [] : [one / other, (one - other) / other]),
          ]),
      )
      return [...cells, sum, sum / cells.length, ...shares, ...pairs]
    }),
    // Of two figures of one row, such as this period and the one before.
    ...rows.slice(0, mostCompared).flatMap(row => {
      const cells = row.map(numberOf).filter(value => Number.isFinite(value))
      return cells.flatMap((one, at) =>
        cells.flatMap((other, index) =>
          at === index || other === 0 ? [] : [one - other, one / other, (one - other) / other],
        ),
      )
    }),
  ]
}

const wordsOf = ({ columns, rows }: Rows): string[] => [
  ...columns.map(({ title }) => title),
  ...rows.flatMap(row => row.filter(cell => typeof cell === 'string')),
]

/** Figures may be written as text. */
const numberOf = (cell: string | number | boolean | null | undefined): number =>
  typeof cell === 'number' ? cell : typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : Number.NaN
