import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Executor } from './executor.ts'

/** A value of the input where the statement has it, filled in at each run. */
export type Slots<Input> = <Name extends keyof Input>(name: Name) => RawBuilder<Input[Name]>

export interface StatementResult<Row> {
  readonly rows: Row[]
  /** Rows that were inserted, changed or deleted; 0 for a query. */
  readonly affected: number
}

/**
 * A statement whose text is made once, for those that most requests wait for: to build one from its parts takes as much of the
 * processor as to send it and read its answer.
 *
 * @param build gives the statement with a slot wherever a value of the input stands. Its text must not depend on the input.
 */
export function statement<Input extends object, Row>(
  build: (executor: Executor, slot: Slots<Input>) => CompiledQuery<Row>,
): (executor: Executor, input: Input) => Promise<StatementResult<Row>> {
  const readers = new Map<unknown, (input: Input) => unknown>()
  let built: CompiledQuery<Row> | undefined
  const slot: Slots<Input> = name => {
    const place = Symbol()
    readers.set(place, input => input[name])
    return sql`${place}`
  }
  return async (executor, input) => {
    built ??= build(executor, slot)
    const parameters = built.parameters.map(value => {
      const read = readers.get(value)
      return read === undefined ? value : read(input)
    })
    const { rows, numAffectedRows } = await executor.executeQuery<Row>({ ...built, parameters })
    return { rows, affected: Number(numAffectedRows ?? 0n) }
  }
}
