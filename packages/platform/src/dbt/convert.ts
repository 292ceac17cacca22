import { CodedError } from '@hedron/contract'
import { primaryKeyOf } from './keys.ts'
import { typeOf } from './member-type.ts'
import type { SyncOptions } from './options.ts'
import type { DbtColumn, DbtModel, DbtProject } from './read-manifest.ts'
import { columnSql, quoteName, tableSql } from './table-sql.ts'
import { type CubeSpec, type JoinSpec, writeCube } from './write-cube.ts'

export interface GeneratedFile {
  /** Relative to the data-model project. */
  readonly path: string
  readonly content: string
}

export interface Conversion {
  readonly files: readonly GeneratedFile[]
  /** Paths of all models of the project, converted or left out by the options: files of the others are models that are gone. */
  readonly knownPaths: ReadonlySet<string>
  /** What was left out and why, for the log. */
  readonly notes: readonly string[]
}

/** Two cubes and the columns by which they are joined. */
interface Join {
  readonly name: string
  readonly relationship: JoinSpec['relationship']
  readonly pairs: readonly (readonly [own: string, their: string])[]
}

const joinSpec = ({ name, relationship, pairs }: Join, adapterType: string | null): JoinSpec => ({
  name,
  relationship,
  sql: pairs
    .map(([own, their]) => `${columnSql(own, adapterType)} = {${name}}.${quoteName(their, adapterType)}`)
    .join(' AND '),
})

const addable = /amount|price|cost|total|value/i

/**
 * dbt models become cubes, a file each (contract/behaviour/devmode-deploy.md section 4). Pure: the same project and options give the same
 * files.
 *
 * @throws {CodedError} `dbt_no_models`, `dbt_names_clash`.
 */
export function convertProject(project: DbtProject, options: SyncOptions): Conversion {
  const names = cubeNames(project.models, options)
  const selected = project.models.filter(model => isSelected(model, options))
  if (selected.length === 0) throw new CodedError('dbt_no_models', {})
  const notes: string[] = []
  const joins = options.joins ? findJoins(selected, names, options, notes) : new Map<string, Join[]>()
  const joinedTo = joinedColumns(selected)
  const pathOf = (model: DbtModel) => `${options.outputPath}/${names.get(model.uniqueId)}.yml`
  const files = selected.map(model => {
    const cube = cubeOf(model, project, options, {
      name: names.get(model.uniqueId) ?? '',
      joins: (joins.get(model.uniqueId) ?? []).map(join => joinSpec(join, project.adapterType)),
      joinedColumns: joinedTo.get(model.uniqueId) ?? [],
      notes,
    })
    return { path: pathOf(model), content: writeCube(cube, model.uniqueId) }
  })
  return { files, knownPaths: new Set(project.models.map(pathOf)), notes }
}

function isSelected({ path }: DbtModel, { folders }: SyncOptions): boolean {
  return folders.length === 0 || folders.some(folder => path.includes(`${folder.replaceAll(/^\/+|\/+$/g, '')}/`))
}

/** A name for each model, told apart by package where two packages have one of the same name. */
function cubeNames(models: readonly DbtModel[], { namePrefix }: SyncOptions): Map<string, string> {
  const plain = (model: DbtModel) =>
    `${model.name}${model.version === null ? '' : `_v${model.version}`}`.replaceAll(/[^A-Za-z0-9_]/g, '_')
  const names = new Map<string, string>()
  for (const model of models) {
    const hasTwin = models.some(other => other !== model && plain(other) === plain(model))
    const name = `${namePrefix}${hasTwin ? `${model.packageName}_` : ''}${plain(model)}`
    const clash = [...names].find(([, taken]) => taken === name)
    if (clash !== undefined || !/^[A-Za-z]/.test(name)) {
      throw new CodedError('dbt_names_clash', {
        name,
        models: [model.uniqueId, ...(clash ?? []).slice(0, 1)].join(' and '),
      })
    }
    names.set(model.uniqueId, name)
  }
  return names
}

function cubeOf(
  model: DbtModel,
  { adapterType }: DbtProject,
  options: SyncOptions,
  known: {
    readonly name: string
    readonly joins: readonly JoinSpec[]
    readonly joinedColumns: readonly string[]
    readonly notes: string[]
  },
): CubeSpec {
  const own = primaryKeyOf(model, options)
  // A column that others refer to tells the rows apart, or their references would be none.
  const key = own.length > 0 ? own : known.joinedColumns.slice(0, 1)
  const taken = new Set<string>()
  const columns = model.columns.flatMap(column => {
    const name = memberName(column)
    if (taken.has(name) || /[{}`"\\]/.test(column.name)) {
      known.notes.push(`${model.uniqueId}: column ${column.name} is left out: its name cannot be that of a member`)
      return []
    }
    taken.add(name)
    return [{ column, name }]
  })
  const unique = (wanted: string): string => {
    const name = taken.has(wanted) ? unique(`${wanted}_measure`) : wanted
    taken.add(name)
    return name
  }
  const measures: { name: string; type: string; sql: string | null }[] = [
    { name: unique('count'), type: 'count', sql: null },
  ]
  if (options.defaultMeasures) {
    for (const { column, name } of columns) {
      if (key.includes(column.name) || typeOf(column) !== 'number' || !addable.test(column.name)) continue
      measures.push({ name: unique(`total_${name}`), type: 'sum', sql: columnSql(column.name, adapterType) })
    }
  }
  return {
    name: known.name,
    title: `${options.titlePrefix}${model.alias}`,
    description: options.descriptions ? model.description.trim() : '',
    sqlTable: tableSql(model, adapterType),
    joins: known.joins,
    dimensions: columns.map(({ column, name }) => ({
      name,
      sql: columnSql(column.name, adapterType),
      type: typeOf(column),
      isKey: key.includes(column.name),
      description: options.descriptions ? column.description.trim() : '',
    })),
    measures,
  }
}

const memberName = ({ name }: DbtColumn): string => {
  const bare = name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z_]/.test(bare) ? bare : `_${bare}`
}

/** Columns of each model that others refer to, one by one. */
function joinedColumns(models: readonly DbtModel[]): Map<string, string[]> {
  const columns = new Map<string, string[]>()
  for (const { references } of models) {
    for (const { to, toColumns } of references) {
      if (toColumns.length === 1) columns.set(to, [...(columns.get(to) ?? []), ...toColumns])
    }
  }
  return columns
}

/** Joins by unique id of the model that declares them; the other side of each where that is asked for. */
function findJoins(
  models: readonly DbtModel[],
  names: ReadonlyMap<string, string>,
  { reverseJoins }: SyncOptions,
  notes: string[],
): Map<string, Join[]> {
  const joins = new Map<string, Join[]>(models.map(({ uniqueId }) => [uniqueId, []]))
  for (const model of models) {
    const own = joins.get(model.uniqueId) ?? []
    for (const { columns, to, toColumns } of model.references) {
      const name = names.get(to)
      const why = whyNoJoin(model, { columns, to, toColumns }, models)
      const pairs = columns.map((column, index) => [column, toColumns[index] ?? ''] as const)
      const before = own.find(join => join.name === name)
      if (name === undefined || why !== null) {
        notes.push(`${model.uniqueId}: no join by ${columns.join(', ')} to ${to}: ${why ?? 'it is no model'}`)
      } else if (before === undefined) {
        own.push({ name, relationship: 'many_to_one', pairs })
      } else if (JSON.stringify(before.pairs) !== JSON.stringify(pairs)) {
        const first = before.pairs.map(([column]) => column).join(', ')
        notes.push(
          `${model.uniqueId}: no join by ${columns.join(', ')} to ${to}: two cubes are joined one way, here by ${first}`,
        )
      }
    }
  }
  if (!reverseJoins) return joins
  for (const model of models) {
    for (const join of joins.get(model.uniqueId) ?? []) {
      const other = models.find(({ uniqueId }) => names.get(uniqueId) === join.name)
      const theirs = joins.get(other?.uniqueId ?? '')
      const name = names.get(model.uniqueId) ?? ''
      if (join.relationship !== 'many_to_one' || theirs === undefined || theirs.some(it => it.name === name)) continue
      theirs.push({ name, relationship: 'one_to_many', pairs: join.pairs.map(([own, their]) => [their, own] as const) })
    }
  }
  return joins
}

function whyNoJoin(
  model: DbtModel,
  { columns, to, toColumns }: DbtModel['references'][number],
  models: readonly DbtModel[],
): string | null {
  if (to === model.uniqueId) return 'it is the same model'
  const other = models.find(({ uniqueId }) => uniqueId === to)
  if (other === undefined) return 'it is not among the models that are converted'
  if (columns.length === 0 || columns.length !== toColumns.length) return 'its columns are not named on both sides'
  const has = ({ columns: all }: DbtModel, names: readonly string[]) =>
    names.every(name => all.some(column => column.name === name))
  return has(model, columns) && has(other, toColumns) ? null : 'a column of it is not declared'
}
