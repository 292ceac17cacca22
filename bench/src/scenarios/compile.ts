import * as z from 'zod'
import type { Figure, Scenario, Summary } from '../shapes.ts'
import { interleave } from '../support/interleave.ts'
import { peer } from '../support/paths.ts'
import { runProgram } from '../support/run-program.ts'
import type { Scope } from '../support/scope.ts'
import { summarise } from '../support/statistics.ts'

const Values = z.array(z.number()).min(1)

/** The reference compiler on a model of 1,000 cubes, measured when the goals were set (DESIGN.md section 5). */
const reference = { compile: 88_000, planMedian: 4, planP99: 56 }

export const compile: Scenario = {
  name: 'compile',
  describes: 'compiling a model, and a query to SQL',
  async run({ quick, scope, say }) {
    const figures: Figure[] = []
    for (const cubes of [100, 1_000]) {
      say(`${cubes} cubes`)
      const once = (task: string) => async () => summarise(await measure(scope, task, cubes, 1)).median
      const cold = await interleave({ rounds: quick ? 2 : 9 }, { compile: once('compile'), yaml: once('yaml') })
      const again = summarise(await measure(scope, 'recompile', cubes, quick ? 20 : 100))
      const isGoal = cubes === 1_000
      figures.push(
        {
          what: `compile ${cubes} cubes in ${cubes + cubes / 10} files`,
          unit: 'ms',
          hedron: cold('compile'),
          beside: { what: 'the YAML reader alone', summary: cold('yaml') },
          goal: isGoal ? { text: '100x the reference', met: cold('compile').median * 100 <= reference.compile } : null,
          ...(isGoal
            ? { note: 'Each in a new process. The reference compiler took 88 s when the goals were set.' }
            : {}),
        },
        {
          what: `recompile ${cubes} cubes after one file changed`,
          unit: 'ms',
          hedron: again,
          beside: { what: 'the first compile', summary: cold('compile') },
          goal: isGoal ? { text: '2,000x the reference', met: again.median * 2_000 <= reference.compile } : null,
        },
      )
    }
    say('queries to SQL')
    const plans = new Map<number, Summary>()
    for (const cubes of [10, 1_000, 5_000]) {
      plans.set(cubes, summarise(await measure(scope, 'plan', cubes, quick ? 500 : 5_000)))
    }
    const flat = plans.get(10)
    for (const [cubes, summary] of plans) {
      const isFast = summary.median * 40 <= reference.planMedian && summary.p99 * 50 <= reference.planP99
      figures.push({
        what: `a query to SQL, model of ${cubes} cubes`,
        unit: 'ms',
        hedron: summary,
        beside: flat === undefined || cubes === 10 ? null : { what: 'model of 10 cubes', summary: flat },
        goal: cubes === 1_000 ? { text: 'median 40x, p99 50x the reference', met: isFast } : null,
        ...(cubes === 1_000 ? { note: 'The reference took 4.0 ms and 56 ms (p99) when the goals were set.' } : {}),
      })
    }
    return figures
  },
}

async function measure(scope: Scope, task: string, cubes: number, rounds: number): Promise<number[]> {
  const argv = [peer('compile-model.ts'), task, String(cubes), String(rounds)]
  const { stdout } = await runProgram(scope, [process.execPath, ...argv])
  return Values.parse(JSON.parse(stdout))
}
