// The reference compiler and planner on a generated project: `reference-compiler.ts <cubes> <recompiles> <plans>`.
import { createRequire } from 'node:module'
import { NativeInstance } from '@cubejs-backend/native'
import { type Compiler, PostgresQuery, prepareCompiler } from '@cubejs-backend/schema-compiler'
import { measureEngine } from './measure-engine.ts'

/** Stands in for the native parts, which no registry carries: templates, of which the generated project has none. */
class Native extends NativeInstance {
  override newJinjaEngine() {
    return {
      loadTemplate() {},
      async renderTemplate(): Promise<never> {
        throw new Error('there are no templates')
      },
    }
  }
}

// The version that it was written for, which need not be the one at the root.
const { LRUCache } = createRequire(import.meta.resolve('@cubejs-backend/schema-compiler'))('lru-cache')

/** Kept from one compilation to the next, as its server does, and large enough for every file, where that keeps 250. */
const max = 100_000
const caches = {
  compiledScriptCache: new LRUCache({ max }),
  compiledYamlCache: new LRUCache({ max }),
  compiledJinjaCache: new LRUCache({ max }),
}

await measureEngine({
  async compile(files): Promise<Compiler> {
    const dataSchemaFiles = files.map(({ path, content }) => ({ fileName: path.slice('model/'.length), content }))
    const compilers = prepareCompiler(
      { localPath: () => 'model', dataSchemaFiles: async () => dataSchemaFiles },
      { adapter: 'postgres', nativeInstance: new Native(), compileContext: {}, ...caches },
    )
    await compilers.compiler.compile()
    return compilers
  },
  serve: compilers => compilers,
  // Reading and checking queries is its API's part, which is not measured: its planner begins with what that gives.
  read: (_, { order, ...query }) => ({
    ...query,
    order: Object.entries(order).map(([id, direction]) => ({ id, desc: direction === 'desc' })),
    timezone: 'UTC',
  }),
  plan(compilers, query) {
    const planned = new PostgresQuery(compilers, {
      ...query,
      contextSymbols: { securityContext: {} },
      useNativeSqlPlanner: false,
    })
    const statement = planned.buildSqlAndParams()
    return { statement, dataSource: planned.dataSource, freshness: planned.cacheKeyQueries(undefined) }
  },
})
