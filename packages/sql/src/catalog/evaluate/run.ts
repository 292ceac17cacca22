import { CatalogError } from '../catalog-error.ts'
import type { Value } from '../values/value.ts'

/** One execution: its parameters, what it may still spend, what it need not compute twice. */
export interface Run {
  readonly parameters: readonly (string | null)[]
  /** Results of parts that do not depend on the row. */
  readonly memory: Map<object, unknown>
  /** Rows of a relation by what finds them, for as long as they are the same rows. */
  readonly indexes: Map<
    object,
    { readonly all: unknown; readonly index: Map<string | number | boolean | null, (readonly Value[])[]> }
  >
  /** Counts work. @throws {CatalogError} 54001 when the statement does too much. */
  spend(work: number): void
}

/** The row of one scope, with those around it. */
export interface Frame {
  readonly row: readonly Value[]
  readonly outer: Frame | null
  readonly run: Run
}

/** Values that one statement may go through: about a second. */
const maximumWork = 20_000_000

/** @param isOver whether whoever waits has waited long enough, and the work was enough; asked now and then. */
export function createRun(parameters: readonly (string | null)[], isOver: (work: number) => boolean): Run {
  let spent = 0
  let asked = 0
  return {
    parameters,
    memory: new Map(),
    indexes: new Map(),
    spend(work) {
      spent += work
      if (spent > maximumWork) throw new CatalogError('54001', 'the statement over the catalogs does too much work')
      if (spent - asked < 20_000) return
      asked = spent
      if (isOver(spent)) throw new CatalogError('57014', 'canceling statement: it took too long over the catalogs')
    },
  }
}

/** Computes once in a run. */
export function once<T>(run: Run, key: object, make: () => T): T {
  const known = run.memory.get(key) as { readonly value: T } | undefined
  if (known) return known.value
  const value = make()
  run.memory.set(key, { value })
  return value
}
