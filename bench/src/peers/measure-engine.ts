import { createHash } from 'node:crypto'
import { cubeFile, type GeneratedFile, generateModel, queryOf } from '../support/generate-model.ts'

/** As the platform has them, whose files are git objects. */
interface StoredFile extends GeneratedFile {
  readonly digest: string
}

interface Engine<Compiled, Served> {
  compile(files: readonly StoredFile[]): Promise<Compiled>
  /** What answers queries, where that is something else. */
  serve(compiled: Compiled): Served
  plan(served: Served, query: ReturnType<typeof queryOf>): unknown
}

/** Before what counts, so that both engines are as fast as they get. */
const warmUps = 300

/**
 * Measures an engine that nothing has warmed, in this order: the first compilation, its memory, queries to SQL, and compilations
 * after one file changed. Prints JSON: milliseconds, and MiB of the heap. `firstPlan` are queries
 * about cubes that were not asked about before, `plan` the others, `calmPlan` those of them that the system did not interrupt.
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
  const plan: number[] = []
  const calmPlan: number[] = []
  // No question twice: the reference remembers what it was asked.
  for (let round = 0; plans > 0 && round < plans + warmUps; round++) {
    const query = queryOf(1 + ((round * 7919) % (cubes - 1)), round)
    const times: number[] = []
    const before = interruptions()
    await timed(times, () => engine.plan(served, query))
    if (round < warmUps) continue
    const isFirst = round < cubes - 1
    ;(isFirst ? firstPlan : plan).push(...times)
    if (!isFirst && interruptions() === before) calmPlan.push(...times)
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
    plan,
    calmPlan,
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
