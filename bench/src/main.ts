import { parseArgs } from 'node:util'
import { readKeptReport, refuseOtherMachine, withScenarios } from './report/kept-report.ts'
import { describeMachine, loadOfMinute } from './report/machine.ts'
import { keepReport, keptFile, type Report, storeReport, writeReport } from './report/report.ts'
import { scenarios } from './scenarios/scenarios.ts'
import type { Scenario } from './shapes.ts'
import { createScope, type Scope } from './support/scope.ts'

const help = `npm run bench -- [options] [scenario ...]

Measures Hedron beside its peers and limits; prints one table and writes bench/results/latest.json.

${scenarios.map(({ name, describes }) => `  ${name.padEnd(14)} ${describes}`).join('\n')}

  --quick        few rounds, for a first look
  --save         also keep the figures in docs/ and the README: of everything, or of these scenarios in place of the kept ones
  --help`

const say = (message: string) => console.log(`[bench] ${message}`)

const interrupted = Promise.withResolvers<never>()
interrupted.promise.catch(() => {})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.reject(new Interruption(`ended by ${signal}, nothing was written`)))
}

class Interruption extends Error {}
class UsageError extends Error {}

try {
  await main(process.argv.slice(2))
  process.exit(0)
} catch (error) {
  if (error instanceof Interruption || error instanceof UsageError) say(error.message)
  else console.error('[bench] failed:', error)
  process.exit(error instanceof Interruption ? 130 : error instanceof UsageError ? 2 : 1)
}

async function main(argv: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(argv)
  if (values.help) {
    console.log(help)
    return
  }
  const { quick, save } = values
  const chosen = choose(positionals)
  if (save && quick) throw new UsageError('--save keeps what was measured in full, without --quick.')
  const machine = describeMachine()
  const kept = save && positionals.length > 0 ? await readKeptReport(keptFile) : null
  if (kept) refuseOtherMachine(kept, machine)
  if (machine.loadBefore > machine.cores / 2) {
    say(`The machine is busy (load ${machine.loadBefore} on ${machine.cores} cores): ratios hold better than figures.`)
  }
  const figures: Report['figures'][number][] = []
  const failed: string[] = []
  for (const scenario of chosen) {
    try {
      const measured = await withScope(scope =>
        scenario.run({ quick, scope, say: message => say(`${scenario.name}: ${message}`) }),
      )
      figures.push(...measured.map(figure => ({ scenario: scenario.name, ...figure })))
    } catch (error) {
      if (error instanceof Interruption) throw error
      // Twenty minutes of the others' figures are worth keeping.
      console.error(`[bench] ${scenario.name} failed, its figures are missing:`, error)
      failed.push(scenario.name)
    }
  }
  const report = { measuredAt: new Date(), quick, machine, loadAfter: loadOfMinute(), figures }
  const files = [await storeReport(report)]
  if (save) files.push(...(await keepReport(kept ? withScenarios(kept, report) : report)))
  console.log(`\n${writeReport(report)}\n`)
  say(`Written: ${files.join(', ')}`)
  if (failed.length > 0) throw new Error(`without the figures of ${failed.join(', ')}, which failed (above)`)
}

/** Runs one measurement; whatever it started is gone afterwards, also when it is interrupted. */
async function withScope<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
  const scope = createScope()
  const working = work(scope)
  // When an interruption wins, what the work then fails of is of no interest.
  working.catch(() => {})
  try {
    return await Promise.race([working, interrupted.promise])
  } finally {
    await scope.close()
  }
}

function readArguments(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: { quick: flag, save: flag, help: flag } })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}

function choose(names: readonly string[]): readonly Scenario[] {
  const known = new Set(scenarios.map(({ name }) => name))
  const unknown = names.find(name => !known.has(name))
  if (unknown !== undefined)
    throw new UsageError(`There is no scenario "${unknown}". There are ${[...known].join(', ')}.`)
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name))
}
