import * as z from 'zod'
import type { Figure, Goal, Scenario, Summary } from '../shapes.ts'
import { peer } from '../support/paths.ts'
import { runProgram } from '../support/run-program.ts'
import type { Scope } from '../support/scope.ts'
import { summarise } from '../support/statistics.ts'

/** What `peers/measure-engine.ts` prints. */
const Measured = z.object({
  compile: z.array(z.number()),
  recompile: z.array(z.number()),
  firstPlan: z.array(z.number()),
  firstQuery: z.array(z.number()),
  newPlan: z.array(z.number()),
  newQuery: z.array(z.number()),
  plan: z.array(z.number()),
  query: z.array(z.number()),
  calmPlan: z.array(z.number()),
  pagePlan: z.array(z.number()),
  compiledHeap: z.array(z.number()),
  servedHeap: z.array(z.number()),
})
type Measured = z.infer<typeof Measured>
type Quantity = keyof Measured

/** How often each is done, in a new process each round; the first three also plan queries. */
interface Rounds {
  readonly rounds: number
  readonly recompiles: number
  readonly plans: number
}
interface Size {
  readonly cubes: number
  readonly hedron: Rounds
  /** Null where one run would take longer than everything else together. */
  readonly reference: Rounds | null
}

const full: readonly Size[] = [
  { cubes: 10, hedron: rounds(9, 12, 5_000), reference: rounds(5, 2, 2_000) },
  { cubes: 100, hedron: rounds(9, 12, 5_000), reference: rounds(3, 2, 2_000) },
  { cubes: 1_000, hedron: rounds(9, 12, 5_000), reference: rounds(3, 1, 2_000) },
  { cubes: 5_000, hedron: rounds(5, 12, 9_000), reference: null },
]
const quick: readonly Size[] = [
  { cubes: 10, hedron: rounds(2, 10, 1_000), reference: rounds(1, 1, 500) },
  { cubes: 100, hedron: rounds(2, 10, 1_000), reference: rounds(1, 1, 500) },
  { cubes: 1_000, hedron: rounds(2, 10, 2_000), reference: null },
]

function rounds(count: number, recompiles: number, plans: number): Rounds {
  return { rounds: count, recompiles, plans }
}

export const compile: Scenario = {
  name: 'compile',
  describes: 'compiling a model, and a query to SQL, beside the reference compiler',
  async run({ quick: isQuick, scope, say }) {
    const figures: Figure[] = []
    let flat: Flat | undefined
    for (const size of isQuick ? quick : full) {
      say(`${size.cubes} cubes${size.reference === null ? '' : ', and the reference'}`)
      const { hedron, reference } = await measure(scope, size)
      figures.push(...figuresOf(size, hedron, reference))
      const plans = { 'not asked before': summarise(hedron.newPlan), 'asked before': summarise(hedron.plan) }
      flat ??= plans
      if (plans !== flat) figures.push(...flatness(size, plans, flat))
    }
    return figures
  },
}

function figuresOf({ cubes }: Size, hedron: Measured, reference: Measured | null): Figure[] {
  // The goals are for this size (DESIGN.md section 5).
  const goalFor = (text: string, isMet: (ours: Measured, theirs: Measured) => boolean): Goal | null =>
    cubes === 1_000 && reference !== null ? { text, met: isMet(hedron, reference) } : null
  const times = (quantity: Quantity, factor: number) => (ours: Measured, theirs: Measured) =>
    summarise(theirs[quantity]).median >= factor * summarise(ours[quantity]).median
  const planGoal = (quantity: Quantity) => (ours: Measured, theirs: Measured) =>
    times(quantity, 40)(ours, theirs) && summarise(theirs[quantity]).p99 >= 50 * summarise(ours[quantity]).p99
  const besideThe = (what: string) => (values: readonly number[] | undefined) =>
    values === undefined ? null : { what, summary: summarise(values) }
  const beside = besideThe('the reference compiler')
  const besidePlanning = besideThe('its planning alone')
  const headline = cubes === 1_000 ? { isHeadline: true } : {}
  const unmeasured = reference === null ? 'The reference is left out: it takes minutes. ' : ''
  return [
    {
      what: `compile ${cubes} cubes in ${cubes + cubes / 10} files`,
      unit: 'ms',
      hedron: summarise(hedron.compile),
      beside: beside(reference?.compile),
      goal: goalFor('100x faster', times('compile', 100)),
      note: `${unmeasured}Each in a new process.`,
      ...headline,
    },
    {
      what: `recompile ${cubes} cubes after one file changed`,
      unit: 'ms',
      hedron: summarise(hedron.recompile),
      beside: beside(reference?.recompile),
      goal: goalFor('2,000x faster', times('recompile', 2_000)),
      ...headline,
    },
    ...(cubes < 1_000
      ? []
      : [
          {
            what: `plan a query about another cube each time, ${cubes} cubes`,
            unit: 'ms' as const,
            hedron: summarise(hedron.firstPlan),
            beside: beside(reference?.firstPlan),
            goal: goalFor('median 40x, p99 50x faster', planGoal('firstPlan')),
            ...headline,
          },
        ]),
    {
      what: `plan a query of a shape not asked before, ${cubes} cubes`,
      unit: 'ms',
      hedron: summarise(hedron.newPlan),
      beside: beside(reference?.newPlan),
      goal: null,
      note: 'Both begin with a query that was read and checked, and give SQL, parameters, data source and what tells whether an answer is fresh. Before, both planned queries about other cubes for four seconds.',
      ...headline,
    },
    {
      what: `plan a query of a shape asked before, ${cubes} cubes`,
      unit: 'ms',
      hedron: summarise(hedron.plan),
      beside: beside(reference?.plan),
      goal: goalFor('median 40x, p99 50x faster', planGoal('plan')),
      note: `Rounds that the system did not interrupt: ${calm(hedron)}${reference === null ? '' : `; of the reference ${calm(reference)}`}.`,
      ...headline,
    },
    {
      what: `plan another page of a query asked before, ${cubes} cubes`,
      unit: 'ms',
      hedron: summarise(hedron.pagePlan),
      beside: beside(reference?.pagePlan),
      goal: null,
    },
    ...(cubes < 1_000
      ? []
      : [
          {
            what: `read, check and plan a query about another cube each time, ${cubes} cubes`,
            unit: 'ms' as const,
            hedron: summarise(hedron.firstQuery),
            beside: besidePlanning(reference?.firstPlan),
            goal: null,
          },
        ]),
    {
      what: `read, check and plan a query of a shape not asked before, ${cubes} cubes`,
      unit: 'ms',
      hedron: summarise(hedron.newQuery),
      beside: besidePlanning(reference?.newPlan),
      goal: null,
      note: 'What a client sent, to SQL. Of the reference this is its planning alone, as above: its API reads and checks queries before.',
      ...headline,
    },
    {
      what: `read, check and plan a query of a shape asked before, ${cubes} cubes`,
      unit: 'ms',
      hedron: summarise(hedron.query),
      beside: besidePlanning(reference?.plan),
      goal: null,
    },
    {
      what: `memory of a compiled model of ${cubes} cubes`,
      unit: 'MiB',
      hedron: summarise(hedron.servedHeap),
      beside: beside(reference?.compiledHeap),
      goal: null,
      note: `Where it serves, indexed. The compile thread keeps ${summarise(hedron.compiledHeap).median.toFixed(1)} MiB for the next compilation.`,
      ...headline,
    },
  ]
}

/** Tells what is the engine's own from what a busy machine adds. */
function calm({ calmPlan, plan }: Measured): string {
  if (calmPlan.length === 0) return 'none'
  const { median, p99, rounds: count } = summarise(calmPlan)
  return `${count} of ${plan.length}, ${median.toFixed(3)} ms (p99 ${p99.toFixed(3)})`
}

/** Queries to SQL, by whether their shape was asked before. */
type Flat = Readonly<Record<'not asked before' | 'asked before', Summary>>

const flatness = ({ cubes }: Size, plans: Flat, flat: Flat): Figure[] =>
  (['not asked before', 'asked before'] as const).map(shape => ({
    what: `plan a query of a shape ${shape}, ${cubes} cubes`,
    unit: 'ms',
    hedron: plans[shape],
    beside: { what: 'model of 10 cubes', summary: flat[shape] },
    goal: { text: 'flat: at most 2x', met: plans[shape].median <= 2 * flat[shape].median },
  }))

/** A machine is now faster and now slower, for seconds: one process could meet either. */
const planningRounds = 3

/** Both in turns, each in a new process. */
async function measure(scope: Scope, { cubes, hedron, reference }: Size) {
  const runs = { hedron: [] as Measured[], reference: [] as Measured[] }
  for (let round = 0; round < Math.max(hedron.rounds, reference?.rounds ?? 0); round++) {
    if (round < hedron.rounds) runs.hedron.push(await runEngine(scope, 'compile-model.ts', cubes, hedron, round))
    if (reference === null || round >= reference.rounds) continue
    runs.reference.push(await runEngine(scope, 'reference-compiler.ts', cubes, reference, round))
  }
  return { hedron: merge(runs.hedron), reference: reference === null ? null : merge(runs.reference) }
}

async function runEngine(scope: Scope, program: string, cubes: number, size: Rounds, round: number): Promise<Measured> {
  const counts = [cubes, size.recompiles, round < planningRounds ? size.plans : 0].map(String)
  const { stdout } = await runProgram(scope, [process.execPath, '--expose-gc', peer(program), ...counts])
  return Measured.parse(JSON.parse(stdout))
}

const merge = (runs: readonly Measured[]): Measured => ({
  compile: runs.flatMap(run => run.compile),
  recompile: runs.flatMap(run => run.recompile),
  firstPlan: runs.flatMap(run => run.firstPlan),
  firstQuery: runs.flatMap(run => run.firstQuery),
  newPlan: runs.flatMap(run => run.newPlan),
  newQuery: runs.flatMap(run => run.newQuery),
  plan: runs.flatMap(run => run.plan),
  query: runs.flatMap(run => run.query),
  calmPlan: runs.flatMap(run => run.calmPlan),
  pagePlan: runs.flatMap(run => run.pagePlan),
  compiledHeap: runs.flatMap(run => run.compiledHeap),
  servedHeap: runs.flatMap(run => run.servedHeap),
})
