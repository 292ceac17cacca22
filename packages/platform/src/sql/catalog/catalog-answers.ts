import {
  CatalogError,
  type CatalogModel,
  type CatalogSession,
  type CatalogStatement,
  type CatalogTree,
  createCatalogView,
  type SettingRow,
  understandCatalogStatement,
} from '@hedron/sql'
import { LRUCache } from 'lru-cache'
import { type CatalogThread, createCatalogThread } from './catalog-thread.ts'

/** A statement over the catalogs, and who asks it. */
export interface CatalogQuestion {
  readonly model: CatalogModel
  readonly tree: CatalogTree
  /** Its text, by which it is known again. */
  readonly text: string
  /** Names of types that the client declared; undefined: to be found out. */
  readonly parameterTypes: readonly (string | undefined)[]
  readonly session: CatalogSession
  /** Settings as `pg_settings` shows them. */
  readonly settings: () => readonly SettingRow[]
  /** Values of all settings by their names in lower case. */
  readonly settingValues: () => ReadonlyMap<string, string>
  /** Deployments take turns where statements are long. */
  readonly deploymentId: number
}

export interface CatalogAnswer extends Pick<CatalogStatement, 'columns' | 'parameters'> {
  /** @returns cells as PostgreSQL's text. @throws {CatalogError} */
  run(values: readonly (string | null)[], signal: AbortSignal): Promise<readonly (readonly (string | null)[])[]>
}

/** Answers statements over the catalogs. */
export interface CatalogAnswers {
  /** @throws {CatalogError} */
  understand(question: CatalogQuestion): CatalogAnswer
  close(): Promise<void>
}

/** How long a statement is answered where everybody else is served, in milliseconds; then it goes on in a thread of its own. */
const quickMilliseconds = 10
/** The same in work (see `evaluate/run.ts`): what is made of a large model is known to be long before it is begun. */
const quickWork = 250_000
/** Characters of statements that are known to be long. */
const longTexts = { maxSize: 256 * 1024, sizeCalculation: (_: true, text: string) => 100 + text.length }

export function createCatalogAnswers(thread: CatalogThread = createCatalogThread()): CatalogAnswers {
  const longOf = new WeakMap<CatalogModel, LRUCache<string, true>>()
  return {
    understand(question) {
      const { model, tree, text, parameterTypes, session, settings, settingValues, deploymentId } = question
      const view = createCatalogView(model, session, settings)
      const { columns, parameters, run } = understandCatalogStatement(view, tree, parameterTypes)
      const known = longOf.get(model) ?? new LRUCache<string, true>(longTexts)
      longOf.set(model, known)
      return {
        columns,
        parameters,
        async run(values, signal) {
          if (!known.get(text)) {
            const until = performance.now() + quickMilliseconds
            let isLong = false
            try {
              return run(values, work => {
                isLong = !signal.aborted && (work > quickWork || performance.now() > until)
                return isLong || signal.aborted
              })
            } catch (error) {
              if (!isLong || !(error instanceof CatalogError)) throw error
              known.set(text, true)
            }
          }
          const { user, database, version, processId, now } = session
          const facts = { user, database, version, processId, now, values: settingValues(), settings: settings() }
          return thread.ask(deploymentId, model, { tree, parameterTypes, values, session: facts }, signal)
        },
      }
    },
    close: () => thread.close(),
  }
}
