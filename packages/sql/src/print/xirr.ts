import type { Bound } from '../shapes/bound.ts'
import { named } from './named.ts'
import { type Piece, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'

/**
 * The rate of return of payments at days, as a calculation of DuckDB over the list of them: the rate at which
 * the sum of payment / (1 + rate) ^ (days since the first / 365) is 0, as spreadsheets define XIRR.
 *
 * It is looked for by its logarithm x = ln(1 + rate), where every rate is a finite step away: in widening steps to both sides of the
 * guess until the sum changes its sign, then by Newton's steps between the two ends, halved where they leave them or come down slowly.
 * Of several rates that solve it, it is one that the first such step holds.
 */

/** How often the search widens (by a quarter each time, until rates of e^600), and how often Newton's steps are taken. */
const widenings = 40
const refinements = 100
const reach = (count: string) => `0.08 * (pow(1.25, ${count}) - 1)`

const where = (name: string, value: string, body: string) => named(`xirr_${name}`, value, body)

const record = (fields: Readonly<Record<string, string>>): string =>
  `struct_pack(${Object.entries(fields)
    .map(([name, value]) => `${name} := ${value}`)
    .join(', ')})`

/** The sum at x, times a positive number that keeps it finite: e^(longest * x) where x is negative. */
const sum = (x: string, factor = ''): string => {
  const years = 'xirr_flow.years'
  const exponent = `CASE WHEN xirr_at < 0 THEN xirr_at * (xirr_flows.longest - ${years}) ELSE -xirr_at * ${years} END`
  const weighed = `list_transform(xirr_flows.list, lambda xirr_flow: xirr_flow.payment * ${factor}exp(${exponent}))`
  return where('at', x, `list_sum(${weighed})`)
}

const types = {
  /** 0: the sum is looked at ever wider, 1: it changes its sign between low and high, 2: x solves it, 3: nothing does. */
  phase: 'INTEGER',
  count: 'INTEGER',
  low: 'DOUBLE',
  high: 'DOUBLE',
  signAtLow: 'DOUBLE',
  signAtHigh: 'DOUBLE',
  x: 'DOUBLE',
  step: 'DOUBLE',
} as const
type State = Partial<Record<keyof typeof types, string>>

const state = (changes: State, otherwise: (name: string) => string): string =>
  record(
    Object.fromEntries(
      Object.entries(types).map(([name, type]) => {
        const changed = Object.entries(changes).find(([each]) => each === name)?.[1]
        return [name, `CAST(${changed ?? otherwise(name)} AS ${type})`]
      }),
    ),
  )
const next = (changes: State) => state(changes, name => `xirr_s.${name}`)
const between = (low: string, high: string, signAtLow: string) =>
  next({ phase: '1', count: '0', low, high, signAtLow, x: `(${low} + ${high}) / 2`, step: `${high} - ${low}` })

const widen = where(
  'wider',
  record({
    low: `xirr_flows.guess - ${reach('(xirr_s.count + 1)')}`,
    high: `xirr_flows.guess + ${reach('(xirr_s.count + 1)')}`,
  }),
  where(
    'sign',
    record({ low: `sign(${sum('xirr_wider.low')})`, high: `sign(${sum('xirr_wider.high')})` }),
    [
      `CASE WHEN xirr_sign.high * xirr_s.signAtHigh <= 0 THEN ${between('xirr_s.high', 'xirr_wider.high', 'xirr_s.signAtHigh')}`,
      `WHEN xirr_sign.low * xirr_s.signAtLow <= 0 THEN ${between('xirr_wider.low', 'xirr_s.low', 'xirr_sign.low')}`,
      `WHEN xirr_s.count + 1 >= ${widenings} THEN ${next({ phase: '3' })}`,
      `ELSE ${next({
        count: 'xirr_s.count + 1',
        low: 'xirr_wider.low',
        high: 'xirr_wider.high',
        signAtLow: 'xirr_sign.low',
        signAtHigh: 'xirr_sign.high',
      })} END`,
    ].join(' '),
  ),
)

const refine = where(
  'here',
  record({ sum: sum('xirr_s.x'), slope: `-${sum('xirr_s.x', 'xirr_flow.years * ')}` }),
  where(
    'ends',
    record({
      low: 'CASE WHEN sign(xirr_here.sum) = xirr_s.signAtLow THEN xirr_s.x ELSE xirr_s.low END',
      high: 'CASE WHEN sign(xirr_here.sum) = xirr_s.signAtLow THEN xirr_s.high ELSE xirr_s.x END',
      newton: 'CASE WHEN xirr_here.slope <> 0 THEN xirr_s.x - xirr_here.sum / xirr_here.slope END',
    }),
    where(
      'x',
      [
        'CASE WHEN xirr_here.sum = 0 THEN xirr_s.x WHEN xirr_ends.newton BETWEEN xirr_ends.low AND xirr_ends.high',
        'AND abs(xirr_ends.newton - xirr_s.x) <= xirr_s.step / 2 THEN xirr_ends.newton',
        'ELSE (xirr_ends.low + xirr_ends.high) / 2 END',
      ].join(' '),
      next({
        phase: `CASE WHEN abs(xirr_x - xirr_s.x) <= 4e-16 * greatest(1.0, abs(xirr_x)) OR xirr_s.count >= ${refinements} THEN 2 ELSE 1 END`,
        count: 'xirr_s.count + 1',
        low: 'xirr_ends.low',
        high: 'xirr_ends.high',
        x: 'xirr_x',
        step: 'abs(xirr_x - xirr_s.x)',
      }),
    ),
  ),
)

const start = where(
  'sign',
  `sign(${sum('xirr_flows.guess')})`,
  state(
    { low: 'xirr_flows.guess', high: 'xirr_flows.guess', signAtLow: 'xirr_sign', signAtHigh: 'xirr_sign' },
    () => '0',
  ),
)
const steps = `list_transform(range(${widenings + refinements + 1}), lambda xirr_i: ${state({}, () => '0')})`
const solved = where(
  's',
  `list_reduce(${steps}, lambda xirr_s, xirr_i: CASE xirr_s.phase WHEN 0 THEN ${widen} WHEN 1 THEN ${refine} ELSE xirr_s END, ${start})`,
  'CASE xirr_s.phase WHEN 3 THEN NULL ELSE exp(xirr_s.x) - 1 END',
)

const days = (of: string) => `${of}(list_transform(xirr_given, lambda xirr_flow: xirr_flow.day))`

const solve = (guess: number): string => {
  const flows = record({
    list: `list_transform(xirr_given, lambda xirr_flow: ${record({
      payment: 'xirr_flow.payment',
      years: '(xirr_flow.day - xirr_span.first) / 365.0::DOUBLE',
    })})`,
    longest: '(xirr_span.last - xirr_span.first) / 365.0::DOUBLE',
    guess: `CAST(${Math.log1p(guess)} AS DOUBLE)`,
  })
  const span = record({ first: days('list_min'), last: days('list_max') })
  return where('span', span, where('flows', flows, solved))
}

const defaultGuess = 0.1
const noRate =
  "error('XIRR finds no rate: it takes payments in both directions, each of them finite and with its date')"

/**
 * XIRR over rows, of DuckDB alone: an aggregate makes a list of them, from which the rate is calculated. Of no payments it is null.
 *
 * @param given payment, date and, where there are any, the guess and what is given instead of an error, both constants
 * @param around what stands behind the aggregate: its filter, its window
 * @throws {Unprintable} for other databases
 */
export function printXirr(
  printing: Printing,
  given: readonly Bound[],
  isDistinct: boolean,
  around: readonly Piece[],
  at: number,
): Piece[] {
  const [payment, day, guess, onError] = given
  if (!payment || !day) throw new Error('XIRR takes payments and dates')
  if (printing.dialect !== 'duckdb') throw new Unprintable('XIRR on this data source', at)
  const rate = guess?.kind === 'constant' && guess.value !== null ? Number(guess.value) : defaultGuess
  const before = `list_transform([list(${isDistinct ? 'DISTINCT ' : ''}struct_pack(payment := CAST(`
  const instead: readonly Piece[] = onError ? ['CAST(', ...printing.value(onError), ' AS DOUBLE)'] : [noRate]
  const isWhole = 'coalesce(isfinite(xirr_flow.day), false) AND isfinite(xirr_flow.payment)'
  const broken = `list_filter(xirr_given, lambda xirr_flow: NOT (${isWhole}))`
  const found = `CASE WHEN len(${broken}) = 0 THEN ${solve(rate)} END`
  const payments = 'list_filter(xirr_all, lambda xirr_flow: xirr_flow.payment <> 0)'
  return [
    before,
    ...printing.value(payment),
    ' AS DOUBLE), day := CAST(',
    ...printing.value(day),
    ' AS DATE)))',
    ...around,
    `], lambda xirr_all: list_transform([${payments}], lambda xirr_given: CASE WHEN len(xirr_given) > 0 THEN coalesce(${found}, `,
    ...instead,
    ') END)[1])[1]',
  ]
}
