import { CodedError } from '@hedron/contract'

/** A column of a dbt model as its properties file declares it. */
export interface DbtColumn {
  readonly name: string
  readonly dataType: string | null
  readonly description: string
}

/** Columns of one model that name a row of another. */
export interface DbtReference {
  readonly columns: readonly string[]
  /** Unique id of the model that is named. */
  readonly to: string
  readonly toColumns: readonly string[]
}

/** What a sync needs of a dbt model; plain JSON, so that it is kept with the job. */
export interface DbtModel {
  readonly uniqueId: string
  readonly packageName: string
  readonly name: string
  readonly version: string | null
  readonly alias: string
  readonly database: string | null
  readonly schema: string | null
  readonly path: string
  readonly description: string
  readonly columns: readonly DbtColumn[]
  /** Of a `primary_key` constraint. */
  readonly constrainedKey: readonly string[] | null
  /** Columns that strict `unique` and `not_null` tests hold for. */
  readonly testedKeys: readonly string[]
  readonly references: readonly DbtReference[]
}

export interface DbtProject {
  readonly projectName: string | null
  readonly adapterType: string | null
  readonly dbtVersion: string | null
  readonly generatedAt: string | null
  readonly stats: { readonly models: number; readonly sources: number; readonly macros: number }
  readonly models: readonly DbtModel[]
}

type JsonObject = Readonly<Record<string, unknown>>

/** Oldest and newest manifest whose nodes have what is read here: dbt 1.6 and later. */
const oldest = 10

/**
 * Takes out of a dbt manifest (`target/manifest.json`, https://schemas.getdbt.com/dbt/manifest) what becomes cubes: enabled models, their
 * columns, and what tests and constraints say of keys and references. Everything else in it is left alone.
 *
 * @throws {CodedError} `dbt_manifest_invalid`.
 */
export function readManifest(manifest: unknown): DbtProject {
  if (!isRecord(manifest)) throw invalid('it is no JSON object')
  const { metadata, nodes } = manifest
  if (!isRecord(metadata) || !isRecord(nodes)) throw invalid('it has no metadata or no nodes')
  const [, number] = /\/manifest\/v(\d+)\.json$/.exec(textOf(metadata.dbt_schema_version) ?? '') ?? []
  if (number === undefined) throw invalid('metadata.dbt_schema_version names no manifest')
  if (Number(number) < oldest) {
    throw invalid(`it is of version ${number}, and ${oldest} (dbt 1.6) is the oldest that is read: use a newer dbt`)
  }
  const all = Object.entries(nodes).flatMap(([id, node]) => (isRecord(node) ? [{ id, node }] : []))
  const models = all.filter(({ node }) => node.resource_type === 'model')
  const tests = all.filter(({ node }) => node.resource_type === 'test' && isEnabled(node))
  return {
    projectName: textOf(metadata.project_name),
    adapterType: textOf(metadata.adapter_type),
    dbtVersion: textOf(metadata.dbt_version),
    generatedAt: textOf(metadata.generated_at),
    stats: { models: models.length, sources: sizeOf(manifest.sources), macros: sizeOf(manifest.macros) },
    models: models
      .filter(({ node }) => isEnabled(node) && isConverted(node))
      .map(({ id, node }) =>
        readModel(
          id,
          node,
          tests.map(test => test.node),
          models.map(model => model.node),
        ),
      )
      .sort((one, other) => (one.uniqueId < other.uniqueId ? -1 : 1)),
  }
}

function readModel(
  uniqueId: string,
  node: JsonObject,
  tests: readonly JsonObject[],
  models: readonly JsonObject[],
): DbtModel {
  const columns = Object.values(isRecord(node.columns) ? node.columns : {}).filter(isRecord)
  const own = tests.filter(test => test.attached_node === uniqueId)
  const name = textOf(node.name)
  if (name === null) throw invalid(`${uniqueId} has no name`)
  const constraints = [
    ...constraintsOf(node).map(it => ({ constraint: it, columns: textsOf(it.columns) })),
    ...columns.flatMap(column => constraintsOf(column).map(it => ({ constraint: it, columns: [String(column.name)] }))),
  ]
  const refs = (text: unknown) => resolveRef(String(text ?? ''), textOf(node.package_name), models)
  return {
    uniqueId,
    packageName: textOf(node.package_name) ?? '',
    name,
    version: node.version === null || node.version === undefined ? null : String(node.version),
    alias: textOf(node.alias) ?? name,
    database: textOf(node.database),
    schema: textOf(node.schema),
    path: textOf(node.original_file_path) ?? textOf(node.path) ?? '',
    description: textOf(node.description) ?? '',
    columns: columns.flatMap(column => {
      const columnName = textOf(column.name)
      if (columnName === null) return []
      return [{ name: columnName, dataType: textOf(column.data_type), description: textOf(column.description) ?? '' }]
    }),
    constrainedKey: constraints.find(({ constraint }) => constraint.type === 'primary_key')?.columns ?? null,
    testedKeys: columnsTested(own, 'unique').filter(column => columnsTested(own, 'not_null').includes(column)),
    references: [
      ...constraints
        .filter(({ constraint }) => constraint.type === 'foreign_key')
        .flatMap(({ constraint, columns: named }) => {
          const to = refs(constraint.to)
          return to === null ? [] : [{ columns: named, to, toColumns: textsOf(constraint.to_columns) }]
        }),
      ...own.flatMap(test => {
        const { name: kind, kwargs } = metadataOf(test)
        const to = kind === 'relationships' ? refs(kwargs.to) : null
        const [column, field] = [textOf(test.column_name) ?? textOf(kwargs.column_name), textOf(kwargs.field)]
        return to === null || column === null || field === null ? [] : [{ columns: [column], to, toColumns: [field] }]
      }),
    ],
  }
}

/** Columns that such a test holds for all rows of, as an error. */
function columnsTested(tests: readonly JsonObject[], wanted: string): string[] {
  return tests.flatMap(test => {
    const { name, kwargs } = metadataOf(test)
    const column = textOf(test.column_name) ?? textOf(kwargs.column_name)
    return name === wanted && column !== null && isStrict(test) ? [column] : []
  })
}

function isStrict({ config }: JsonObject): boolean {
  if (!isRecord(config)) return true
  const { severity = 'ERROR', where = null, limit = null, warn_if: warn = '!= 0', error_if: error = '!= 0' } = config
  return (
    String(severity).toUpperCase() === 'ERROR' &&
    where === null &&
    limit === null &&
    warn === '!= 0' &&
    error === '!= 0'
  )
}

const metadataOf = ({ test_metadata: found }: JsonObject) => {
  const metadata = isRecord(found) ? found : {}
  // A test of a package, such as a namesake of `unique`, means what that package says.
  const name = metadata.namespace === null || metadata.namespace === undefined ? textOf(metadata.name) : null
  return { name, kwargs: isRecord(metadata.kwargs) ? metadata.kwargs : {} }
}

/** `ref('model')`, `ref('package', 'model')`, with `v=` or not. @returns the model's unique id; null where it is none. */
function resolveRef(text: string, packageName: string | null, models: readonly JsonObject[]): string | null {
  const inside = /ref\(([^)]*)\)/.exec(text)?.[1]
  if (inside === undefined) return null
  const names = Array.from(inside.matchAll(/(?<!=\s*)(['"])([^'"]+)\1/g), ([, , name = '']) => name)
  const version = /\bv(?:ersion)?\s*=\s*['"]?([^'",\s]+)/.exec(inside)?.[1]
  const name = names.at(-1)
  const wantedPackage = names.length > 1 ? names[0] : undefined
  const fitting = models.filter(
    model =>
      model.name === name &&
      (wantedPackage === undefined || model.package_name === wantedPackage) &&
      (version === undefined ? isLatest(model) : String(model.version) === version),
  )
  const own = fitting.find(model => model.package_name === packageName) ?? fitting[0]
  return own === undefined ? null : textOf(own.unique_id)
}

const isLatest = ({ version, latest_version: latest }: JsonObject): boolean =>
  version === null || version === undefined || String(version) === String(latest)

const isEnabled = ({ config }: JsonObject): boolean => !isRecord(config) || config.enabled !== false

/** Models that are no tables, and the one of dbt's own metrics, become no cubes. */
const isConverted = ({ config, name }: JsonObject): boolean =>
  !(isRecord(config) && config.materialized === 'ephemeral') && name !== 'metricflow_time_spine'

const constraintsOf = ({ constraints }: JsonObject): JsonObject[] =>
  Array.isArray(constraints) ? constraints.filter(isRecord) : []
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const sizeOf = (value: unknown): number => (isRecord(value) ? Object.keys(value).length : 0)
const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const invalid = (reason: string) => new CodedError('dbt_manifest_invalid', { reason })
