import { type SecuredIndex, secureModel, shownSource } from '../access/secured-index.ts'
import { isCalculation } from '../plan/calculations.ts'
import { granularitiesOf, type Member, type Source } from '../resolve/model-index.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Model } from '../shapes/model.ts'
import type { QueryContext } from '../shapes/query.ts'
import type { DimensionType, MeasureType } from '../shapes/vocabulary.ts'

/** A cube or view as a table for one caller: what he may select of it. */
export interface ListedSource {
  readonly name: string
  readonly kind: 'cube' | 'view'
  readonly title: string
  readonly description: string | null
  /** The cube whose rows it has: itself, or where the join paths of a view begin. */
  readonly root: string
  readonly members: ReadonlyMap<string, ListedMember>
}

export type ListedMember = {
  /** `cube.member` or `view.member` */
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string | null
  /** Of the cube where it is defined. */
  readonly dataSource: string
  readonly cube: string
  /** How the cube is reached: members of one place are of the same row. */
  readonly place: string
} & (
  | {
      readonly kind: 'dimension'
      readonly type: DimensionType
      readonly isPrimaryKey: boolean
      readonly granularities: readonly string[]
    }
  | {
      readonly kind: 'measure'
      readonly type: MeasureType
      /** It counts the rows of its cube, all that the caller may see: to ask for it asks for no right of its own. */
      readonly countsRows: boolean
      /** How its values for groups make that of all their rows, where no row is in two of them; null: they do not. */
      readonly combine: 'sum' | 'min' | 'max' | null
      /** It has a value for a single row, for ungrouped queries. */
      readonly hasRowValue: boolean
    }
  | { readonly kind: 'segment' }
)

/** Finds cubes and views by their names as one caller may see them. */
export interface ListedSources {
  find(name: string): ListedSource | null
  names(): readonly string[]
}

/**
 * The cubes and views that a caller may select from. Those of which he may see nothing are not there, nor is a member that is not
 * public. They are listed when they are asked for: a model can have thousands.
 */
export function listSources(model: Model, context: QueryContext): ListedSources {
  const index = secureModel(model, context)
  const known = new Map<string, ListedSource | null>()
  const find = (name: string): ListedSource | null => {
    const found = known.get(name)
    if (found !== undefined) return found
    const source = index.sources.get(name)
    const listed = source ? list(index, source) : null
    known.set(name, listed)
    return listed
  }
  return { find, names: () => [...index.sources.keys()].filter(name => find(name) !== null) }
}

function list(index: SecuredIndex, source: Source): ListedSource | null {
  const shown = shownSource(index, source)
  if (!shown) return null
  const visible = [...shown.members].filter(([, member]) => member.isVisible)
  if (visible.length === 0) return null
  const { name, title, definition } = source
  const [first] = visible
  return {
    name,
    title,
    kind: definition.kind,
    description: definition.kind === 'cube' ? definition.cube.description : definition.view.description,
    root: definition.kind === 'cube' ? name : (first?.[1].joinPath[0] ?? name),
    members: new Map(visible.map(([key, member]) => [key, listMember(index, source, key, member)])),
  }
}

/** Whether naming the member changes neither which rows a query sees nor what it shows. */
function isFree({ access }: SecuredIndex, source: Source, member: Member): boolean {
  const rows = (members: readonly Member[]) => JSON.stringify(access.rowsOf(source, members))
  return access.maskingOf(source, member) === null && rows([member]) === rows([])
}

const combined: Readonly<Partial<Record<MeasureType, 'sum' | 'min' | 'max'>>> = {
  count: 'sum',
  sum: 'sum',
  min: 'min',
  max: 'max',
}

function listMember(index: SecuredIndex, source: Source, name: string, member: Member): ListedMember {
  const { id, cube, definition, presentation } = member
  const { title, description } = presentation
  const common = {
    id,
    name,
    title,
    description,
    dataSource: cube.dataSource,
    cube: cube.name,
    place: member.joinPath.join('.'),
  }
  if (definition.kind === 'segment') return { ...common, kind: 'segment' }
  if (definition.kind === 'dimension') {
    const { type, isPrimaryKey } = definition
    const granularities = type === 'time' ? granularitiesOf(definition).map(granularity => granularity.name) : []
    return { ...common, kind: 'dimension', type, isPrimaryKey, granularities }
  }
  const { type, sql, filters, stage, window } = definition
  const isCount = type === 'count' && sql === null && filters.length === 0 && !stage && !window
  const own = isCount ? index.sources.get(cube.name) : undefined
  const ofCube = own?.members.get(definition.name)
  return {
    ...common,
    kind: 'measure',
    type,
    countsRows:
      own !== undefined && ofCube !== undefined && isFree(index, source, member) && isFree(index, own, ofCube),
    // What is shown instead of a masked measure is no number of rows.
    combine: stage || window || index.access.maskingOf(source, member) !== null ? null : (combined[type] ?? null),
    hasRowValue: !stage && !window && (measureKinds[type].of === 'rows' || isCalculation(index, definition)),
  }
}
