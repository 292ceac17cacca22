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

export type Question = ReturnType<typeof queryOf> | ReturnType<typeof reshape>

interface Engine<Compiled, Served, Read> {
  compile(files: readonly StoredFile[]): Promise<Compiled>
  /** What answers queries, where that is something else. */
  serve(compiled: Compiled): Served
  /** Reads and checks what a client sent, as its planner takes it. */
  read(served: Served, question: Question): Read
  /** Of what was read: SQL and its parameters, which database answers it, and what tells whether an answer is still fresh. */
  plan(served: Served, read: Read): unknown
}

/** Milliseconds, of each query. */
interface Asked {
  /** From what was read to SQL. */
  readonly plan: number[]
  /** From what a client sent to SQL. */
  readonly whole: number[]
}

/** Milliseconds before what counts, so that both engines are as fast as they get. */
const warmUp = 4_000

/** So many shapes are asked again and again, over all of the model: about as many as the dashboards of a team ask. */
const knownShapes = 200

/**
 * Measures an engine that nothing has warmed, in this order: the first compilation, its memory, queries to SQL, and compilations
 * after one file changed. Prints JSON: milliseconds, and MiB of the heap.
 *
 * Before queries are measured, an engine plans others for a while, about cubes of which none is measured. `firstPlan` are queries about
 * cubes that were not asked about before, `newPlan` those of a shape that was not asked before, `plan` those of a shape that was, about
 * other dates; `calmPlan` those of the last that the system did not interrupt; `pagePlan` those of such a shape with a limit that was not
 * asked before; `firstQuery`, `newQuery` and `query` are the times of the first three with what reading and checking a client's query takes. No
 * question is asked twice: the reference remembers what it was asked.
 */
export async function measureEngine<Compiled, Served, Read>(engine: Engine<Compiled, Served, Read>): Promise<void> {
  const [cubes = 0, recompiles = 0, plans = 0] = process.argv.slice(2).map(Number)
  const files = generateModel(cubes).map(stored)
  const empty = heap()
  const compile: number[] = []
  const compiled = await timed(compile, () => engine.compile(files))
  const compiledHeap = heap() - empty
  const served = engine.serve(compiled)
  engine.plan(served, engine.read(served, queryOf(1, -1)))
  const servedHeap = heap() - empty - compiledHeap

  let asked = 0
  const ask = (cube: number, change: (query: ReturnType<typeof queryOf>) => Question, times: Asked = nobody()) => {
    // As it comes from a client.
    const question: Question = JSON.parse(JSON.stringify(change(queryOf(cube, asked))))
    asked += 1
    const began = performance.now()
    const read = engine.read(served, question)
    const isRead = performance.now()
    engine.plan(served, read)
    const isPlanned = performance.now()
    times.plan.push(isPlanned - isRead)
    times.whole.push(isPlanned - began)
  }
  const asItIs = (query: ReturnType<typeof queryOf>): Question => query
  // Cube 0 joins none.
  const warming = Math.min(50, Math.ceil(cubes / 20) + 1)
  const measured = Math.max(1, cubes - 1 - warming)
  const cubeAt = (round: number) => 1 + warming + ((round * 7919) % measured)
  // One cube comes back after as many rounds as there are cubes, and then in another shape than before.
  const otherwise = (round: number, of: number) => (query: ReturnType<typeof queryOf>) =>
    reshape(query, (round + Math.floor(round / of)) % otherShapes)

  const first = nobody()
  const fresh = nobody()
  const known = nobody()
  const paged = nobody()
  const calmPlan: number[] = []
  const warmUntil = performance.now() + warmUp
  for (let round = 0; plans > 0 && performance.now() < warmUntil; round++) {
    ask(1 + (round % warming), otherwise(round, warming))
  }
  for (let round = 0; plans > 0 && round < measured; round++) ask(cubeAt(round), asItIs, first)
  for (let round = 0; round < plans / 2; round++) ask(cubeAt(round), otherwise(round, measured), fresh)
  const askKnown = (round: number, limit: number, times?: Asked) => {
    const place = round % knownShapes
    ask(cubeAt(place), query => ({ ...reshape(query, Math.floor(place / measured)), limit }), times)
  }
  for (let round = 0; plans > 0 && round < 2 * knownShapes; round++) askKnown(round, 100)
  for (let round = 0; round < plans / 2; round++) {
    const before = interruptions()
    askKnown(round, 100, known)
    if (interruptions() === before) calmPlan.push(...known.plan.slice(-1))
  }
  for (let round = 0; round < plans / 2; round++) {
    askKnown(round, 101 + round, paged)
  }
  const recompile: number[] = []
  for (let round = 0; round < recompiles; round++) {
    const place = (round * 37) % cubes
    const changed = files.with(place, stored(cubeFile(place, round + 1)))
    await timed(recompile, () => engine.compile(changed))
  }
  const figures = {
    compile,
    recompile,
    firstPlan: first.plan,
    firstQuery: first.whole,
    newPlan: fresh.plan,
    newQuery: fresh.whole,
    plan: known.plan,
    query: known.whole,
    calmPlan,
    pagePlan: paged.plan,
    compiledHeap: [compiledHeap],
    servedHeap: [servedHeap],
  }
  // The reference leaves threads behind; a pipe takes what is written in pieces.
  process.stdout.write(JSON.stringify(figures), () => process.exit(0))
}

const nobody = (): Asked => ({ plan: [], whole: [] })

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
