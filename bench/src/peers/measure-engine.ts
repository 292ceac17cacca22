import { createHash } from 'node:crypto'
import {
  cubeFile,
  type GeneratedFile,
  generateModel,
  otherShapes,
  queryOf,
  reshape,
} from '../support/generate-model.ts'

/** As the platform has them, whose files are git objects. */
interface StoredFile extends GeneratedFile {
  readonly digest: string
}

type Question = ReturnType<typeof queryOf> | ReturnType<typeof reshape>

interface Engine<Compiled, Served> {
  compile(files: readonly StoredFile[]): Promise<Compiled>
  /** What answers queries, where that is something else. */
  serve(compiled: Compiled): Served
  plan(served: Served, query: Question): unknown
}

/** Before what counts, so that both engines are as fast as they get. */
const warmUps = 300

/** About how many cubes, over all of the model, questions of known shapes are: about as many as the dashboards of a team ask. */
const knownShapes = 200

/**
 * Measures an engine that nothing has warmed, in this order: the first compilation, its memory, queries to SQL, and compilations
 * after one file changed. Prints JSON: milliseconds, and MiB of the heap. `firstPlan` are queries about cubes that were not asked about
 * before, `newPlan` those of a shape that was not asked before, `plan` those of a shape that was, about other dates;
 * `calmPlan` those of the last that the system did not interrupt; `pagePlan` those of such a shape with a limit that was not asked before. No question is asked twice: the reference remembers what it was asked.
 */
export async function measureEngine<Compiled, Served>(engine: Engine<Compiled, Served>): Promise<void> {
  const [cubes = 0, recompiles = 0, plans = 0] = process.argv.slice(2).map(Number)
  const files = generateModel(cubes).map(stored)
  const empty = heap()
  const compile: number[] = []
  const compiled = await timed(compile, () => engine.compile(files))
  const compiledHeap = heap() - empty
  const served = engine.serve(compiled)
  engine.plan(served, queryOf(1, -1))
  const servedHeap = heap() - empty - compiledHeap

  const firstPlan: number[] = []
  const newPlan: number[] = []
  const plan: number[] = []
  const calmPlan: number[] = []
  const pagePlan: number[] = []
  let asked = 0
  const ask = (times: number[], cube: number, change = (query: ReturnType<typeof queryOf>): Question => query) => {
    const query = change(queryOf(1 + ((cube * 7919) % (cubes - 1)), asked))
    asked += 1
    return timed(times, () => engine.plan(served, query))
  }
  for (let round = 0; plans > 0 && round < Math.max(warmUps, cubes - 1); round++) {
    await ask(round < warmUps ? [] : firstPlan, round)
  }
  for (let round = 0; round < plans / 2; round++) {
    // One cube comes back after `cubes - 1` rounds, and then in another shape than before.
    await ask(newPlan, round, query => reshape(query, (round + Math.floor(round / (cubes - 1))) % otherShapes))
  }
  for (let round = 0; plans > 0 && round < 2 * knownShapes; round++) await ask([], round % knownShapes)
  for (let round = 0; round < plans / 2; round++) {
    const before = interruptions()
    await ask(plan, round % knownShapes)
    if (interruptions() === before) calmPlan.push(...plan.slice(-1))
  }
  for (let round = 0; round < plans / 2; round++) {
    await ask(pagePlan, round % knownShapes, query => ({ ...query, limit: 101 + round }))
  }
  const recompile: number[] = []
  for (let round = 0; round < recompiles; round++) {
    const place = (round * 37) % cubes
    const changed = files.with(place, stored(cubeFile(place, round + 1)))
    await timed(recompile, () => engine.compile(changed))
  }
  const measured = {
    compile,
    recompile,
    firstPlan,
    newPlan,
    plan,
    calmPlan,
    pagePlan,
    compiledHeap: [compiledHeap],
    servedHeap: [servedHeap],
  }
  // The reference leaves threads behind; a pipe takes what is written in pieces.
  process.stdout.write(JSON.stringify(measured), () => process.exit(0))
}

const stored = (file: GeneratedFile): StoredFile => ({
  ...file,
  digest: createHash('sha1').update(file.content).digest('hex'),
})

async function timed<T>(values: number[], work: () => T | Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work()
  values.push(performance.now() - began)
  return result
}

/** How often the system took the core away to let something else run. */
const interruptions = (): number => process.resourceUsage().involuntaryContextSwitches

function heap(): number {
  if (globalThis.gc === undefined) throw new Error('node runs without --expose-gc')
  globalThis.gc()
  return process.memoryUsage().heapUsed / 2 ** 20
}
