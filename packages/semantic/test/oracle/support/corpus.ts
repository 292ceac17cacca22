import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parse } from 'yaml'
import type { SourceFile } from '../../../src/index.ts'

/** A query; `as` is who asks. */
type Query = Readonly<Record<string, unknown>>

/** A model of the corpus with what is asked of it, from `models/<name>/`. */
export interface CorpusModel {
  /** Name of the data set. */
  readonly data: string
  readonly files: readonly SourceFile[]
  readonly asks: ReadonlyMap<string, Query>
  readonly exceptions: ReadonlyMap<string, Exception>
  /** Questions that Hedron refuses, and a part of what it says. */
  readonly refusals: ReadonlyMap<string, { readonly says: string; readonly query: Query }>
  /** Why the description differs from the field's, by the place of the difference. */
  readonly metaExceptions: ReadonlyMap<string, string>
  /** Why the field's compiler answers nothing about this model: all its questions then need SQL written by hand. */
  readonly unanswered: string | null
  /** Whether every operator is tried on each of its dimensions. */
  readonly everyOperator: boolean
  /** Questions made for every model that have no meaning in this one. */
  readonly notMade: readonly string[]
}

/** Where the field's compiler is no oracle: `sql`, written by hand, says what the rows are. */
export interface Exception {
  readonly reason: string
  readonly sql: string
}

interface Written {
  readonly data: string
  readonly unanswered?: string
  readonly everyOperator?: boolean
  readonly notMade?: readonly string[]
  readonly metaExceptions?: Readonly<Record<string, string>>
  readonly asks?: Readonly<Record<string, Query>>
  readonly exceptions?: Readonly<Record<string, Exception>>
  readonly refusals?: Readonly<Record<string, { readonly says: string; readonly query: Query }>>
}

/** Names of the models in a folder. */
export const modelNames = (folder: string): readonly string[] => readdirSync(folder).toSorted()

/** Reads one model: its files, below `model` where there is such a folder, and its `queries.yml`. */
export function readModel(folder: string, name: string): CorpusModel {
  const home = join(folder, name)
  const written: Written = parse(readFileSync(join(home, 'queries.yml'), 'utf8'), { merge: true })
  return {
    data: written.data,
    files: readModelFiles(existsSync(join(home, 'model')) ? join(home, 'model') : home),
    asks: new Map(Object.entries(written.asks ?? {})),
    exceptions: new Map(Object.entries(written.exceptions ?? {})),
    refusals: new Map(Object.entries(written.refusals ?? {})),
    metaExceptions: new Map(Object.entries(written.metaExceptions ?? {})),
    unanswered: written.unanswered ?? null,
    everyOperator: written.everyOperator ?? false,
    notMade: written.notMade ?? [],
  }
}

/** The model files below a folder, at the paths that they have in a project. */
function readModelFiles(home: string): SourceFile[] {
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'queries.yml')
    .map(entry => {
      const path = join(entry.parentPath, entry.name)
      return { path: `model/${relative(home, path)}`, content: readFileSync(path, 'utf8') }
    })
}
