import { inOnePiece } from '../in-one-piece.ts'
import { QueryError } from '../messages/query-messages.ts'
import type { CompiledQuery, DialectName } from '../shapes/compiled.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery, QueryContext } from '../shapes/query.ts'
import type { Recording } from '../sql/sql-writer.ts'
import type { WritePage } from '../sql/write-plan.ts'
import { callerKey } from './caller-key.ts'
import { createFirstSight, numberOf } from './first-sight.ts'
import { KnownQuery } from './known-query.ts'
import { modelNumber } from './model-number.ts'
import { openContext, openQuery, type Reads } from './open-query.ts'
import { shapeNumber, shapeOf } from './query-shape.ts'
import { createRecent } from './recent.ts'
import { createTemplate, fillTemplate, sizeOf, type Template } from './template.ts'

/** A query as it is compiled from nothing. */
export interface Asked {
  readonly model: Model
  readonly query: NormalizedQuery
  readonly context: QueryContext
  readonly database: DialectName | ((dataSource: string) => DialectName)
  readonly parametersBefore: number
}

export type Compile = (
  asked: Asked,
  recording: Recording | null,
) => { compiled: CompiledQuery; dialectName: DialectName; writePage: WritePage }

/** `never`: the text depends on values; `caller`: on who asks. */
type Known = 'never' | 'caller' | Template

/**
 * Compiles queries, and remembers what queries of one shape have in common: all but the values that are sent as parameters, and order,
 * limit and offset.
 *
 * A template is made of a query that notices what is looked at while it is planned. What was planned without a look at values is the
 * same for all values; without a look at the caller, for all callers; else all that the caller is stands in its key, so that nobody is
 * ever given what was planned for the rights of another. Anything else is compiled anew each time.
 */
export function createQueryTemplates(
  limits: { readonly entries: number; readonly bytes: number },
  compile: Compile,
): (asked: Asked) => CompiledQuery {
  const recent = createRecent<Known>(limits)
  // What is asked once is not worth a template.
  const wasMet = createFirstSight()
  const small = 16

  return asked => {
    const key = keyOf(asked, wasMet)
    if (key === null) return afresh(asked)
    const known = recent.get(key)
    if (known !== 'caller') return answer(asked, key, known, null)
    const caller = callerKey(asked.context)
    if (caller === null) return afresh(asked)
    const own = `${key}\n${caller}`
    const ofCaller = recent.get(own)
    if (ofCaller === undefined && !wasMet(numberOf(own))) return afresh(asked)
    return answer(asked, own, ofCaller, caller)
  }

  function afresh(asked: Asked): CompiledQuery {
    return compile(asked, null).compiled
  }

  function answer(asked: Asked, key: string, known: Known | undefined, caller: string | null): CompiledQuery {
    if (known === undefined) return remember(asked, key, caller)
    if (known === 'never' || known === 'caller') return afresh(asked)
    const { database, query } = asked
    const { dialectName, compiled } = known
    const isSameDialect = (typeof database === 'function' ? database(compiled.dataSource) : database) === dialectName
    const filled = isSameDialect ? fillTemplate(known, query) : null
    return filled ?? remember(asked, key, caller)
  }

  function remember(asked: Asked, key: string, caller: string | null): CompiledQuery {
    const reads: Reads = { values: false, caller: false, clock: false }
    const recording: Recording = { origins: new Map(), texts: [] }
    const open = { ...asked, query: openQuery(asked.query, reads), context: openContext(asked.context, reads) }
    try {
      const { compiled, dialectName, writePage } = compile(open, recording)
      const template = createTemplate(compiled, dialectName, writePage, recording, asked.query)
      if (reads.values || reads.clock) recent.set(key, 'never', small)
      else if (reads.caller && caller === null) recent.set(key, 'caller', small)
      else recent.set(key, template, sizeOf(template))
      return fillTemplate(template, asked.query) ?? afresh(asked)
    } catch (error) {
      // What an error tells of the query is told of the query as it was asked.
      if (error instanceof QueryError) return afresh(asked)
      throw error
    }
  }
}

/** What all queries of one shape have in common as text; null where none was met before, or where it would be too long to be kept. */
function keyOf({ model, query, context, parametersBefore }: Asked, wasMet: (number: number) => boolean): string | null {
  const { keepsRowsApart, allowUngroupedWithoutPrimaryKey } = context
  const number = modelNumber(model)
  const likeness = KnownQuery.likenessOf(query)
  const known = likeness?.shape
  const isKnown =
    known &&
    known.number === number &&
    known.parametersBefore === parametersBefore &&
    known.keepsRowsApart === keepsRowsApart &&
    known.allowUngroupedWithoutPrimaryKey === allowUngroupedWithoutPrimaryKey
  if (isKnown) return known.key
  const asked = { number, query, context, parametersBefore }
  const sight = shapeNumber(asked)
  if (sight === null || !wasMet(sight)) return null
  const shape = shapeOf(asked)
  const key = shape === null ? null : inOnePiece(shape)
  if (likeness && key !== null) {
    likeness.shape = { number, parametersBefore, keepsRowsApart, allowUngroupedWithoutPrimaryKey, key }
  }
  return key
}
