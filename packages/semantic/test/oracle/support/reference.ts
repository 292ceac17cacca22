import { NativeInstance } from '@cubejs-backend/native'
import { type Compiler, PostgresQuery, prepareCompiler } from '@cubejs-backend/schema-compiler'
import { Environment } from 'minijinja-js'
import type { NormalizedQuery, SourceFile } from '../../../src/index.ts'

/** The field's own compiler, without its native parts: the JavaScript planner plans, and another engine renders templates. */
export interface Reference {
  /** Its SQL for PostgreSQL, and which member each column is. */
  compile(query: NormalizedQuery, context?: ReferenceContext): ReferenceSql
  /** The pre-aggregation that it would answer from; null: the source. */
  rollupOf(query: NormalizedQuery): string | null
  /** What `/v1/meta` would show, hidden members included. */
  readonly meta: readonly unknown[]
}

export interface ReferenceContext {
  readonly securityContext?: Readonly<Record<string, unknown>>
}

export interface ReferenceSql {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly memberOfAlias: Readonly<Record<string, string>>
}

// Each compile starts a pool of its own, and one thread of it is as fast as several.
process.env.CUBEJS_TRANSPILATION_WORKER_THREADS_COUNT = '1'

/** Compiles a model as the field does. Throws what its authors would read. */
export async function compileReference(files: readonly SourceFile[]): Promise<Reference> {
  const repository = {
    localPath: () => 'model',
    dataSchemaFiles: async () =>
      files.map(({ path, content }) => ({ fileName: path.replace(/^model\//, ''), content })),
  }
  const compilers: Compiler = prepareCompiler(repository, {
    adapter: 'postgres',
    nativeInstance: new TemplateEngine(),
    compileContext: { securityContext: {} },
  })
  await compilers.compiler.compile()
  const asGiven = (query: NormalizedQuery, { securityContext = {} }: ReferenceContext) => ({
    ...query,
    order: query.order.map(({ id, desc }) => ({ id, desc })),
    contextSymbols: { securityContext },
    allowUngroupedWithoutPrimaryKey: true,
    useNativeSqlPlanner: false,
  })
  return {
    meta: compilers.metaTransformer.cubes.map(({ config }: { config: unknown }) => config),
    rollupOf(query) {
      const found = new PostgresQuery(compilers, asGiven(query, {})).newPreAggregations().findPreAggregationForQuery()
      return found?.preAggregationName ?? null
    },
    compile(query, context = {}) {
      const planned = new SourceQuery(compilers, asGiven(query, context))
      const [sql, parameters]: [string, unknown[]] = planned.buildSqlAndParams()
      return { sql, parameters, memberOfAlias: planned.aliasNameToMember }
    },
  }
}

/** Asks the source, where the field would answer from a pre-aggregation that nobody has built. */
class SourceQuery extends PostgresQuery {
  override newPreAggregations() {
    return Object.assign(super.newPreAggregations(), { findPreAggregationForQuery: () => undefined })
  }
}

/** Stands in for the native template engine. */
class TemplateEngine extends NativeInstance {
  override newJinjaEngine() {
    const environment = new Environment()
    return {
      // This engine would quote what files with the ending of YAML print.
      loadTemplate: (name: string, content: string) =>
        environment.addTemplate(
          name,
          name.endsWith('.jinja') ? content : `{% autoescape false %}${content}{% endautoescape %}`,
        ),
      renderTemplate: async (name: string, context: unknown) =>
        environment.renderTemplate(name, { COMPILE_CONTEXT: context }),
    }
  }

  override async loadPythonContext() {
    return { __type: 'PythonCtx' as const, filters: {}, variables: {}, functions: {} }
  }
}
