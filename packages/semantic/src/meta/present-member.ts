import type { DimensionMember, MeasureMember, Member, Source } from '../resolve/model-index.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { MetaFormatting, MetaGranularity, MetaLink } from '../shapes/meta.ts'
import type { Dimension, Granularity, Link, Measure } from '../shapes/model.ts'

/** Leaves out what is null, as `/v1/meta` does. The cast says what a loop over keys can't. */
export function present<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> }
}

export function metaFormatting({ formatting }: Member): MetaFormatting {
  return formatting
    ? present({
        format: formatting.format,
        formatDescription: formatting.formatDescription,
        currency: formatting.currency,
      })
    : {}
}

export const metaGranularity = ({ name, title, interval, offset, origin }: Granularity): MetaGranularity => ({
  name,
  title,
  ...present({ interval, offset, origin }),
})

/** What of a link the client needs; its address is the value of another dimension. */
export const metaLink = ({ name, label, dashboard, icon, target, isPrimary, params }: Link): MetaLink => ({
  name,
  label,
  ...present({ dashboard, icon, target }),
  ...(isPrimary ? { primary: true } : {}),
  ...(params.length > 0 ? { params } : {}),
})

/** The key dimension of a dimension, under the name by which it can be queried beside it. */
export function keyMember({ definition, joinPath }: DimensionMember, source: Source): { key?: string } {
  if (definition.key === null) return {}
  const key = [...source.members.values()].find(
    member => member.definition.name === definition.key && member.joinPath.join('.') === joinPath.join('.'),
  )
  return key ? { key: key.id } : {}
}

/** What type a measure's values have for clients. */
export const measureValueType = ({ type }: Measure): string => measureKinds[type].values

/** What type a dimension's values have for clients: those of a switch are text. */
export const dimensionValueType = ({ type }: Dimension): string => (type === 'switch' ? 'string' : type)

/** Whether a measure's values tell of more than their own period. */
export const isCumulative = ({ isCumulative: isMarked, window }: Measure): boolean => isMarked || window !== null

/** The aggregation, in the camelCase that clients of the field match on. */
export const aggregationType = ({ type }: Measure): string =>
  type.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Drill members under the names by which they can be queried beside this measure; those that `find` doesn't know are left out. */
export function drillMembers({ definition }: MeasureMember, source: Source, find: (id: string) => Member | undefined) {
  const { drillMembers: defined } = definition
  const isView = source.definition.kind === 'view'
  const ids = isView
    ? defined.flatMap(id => {
        const shown = [...source.members.values()].find(
          member => `${member.cube.name}.${member.definition.name}` === id,
        )
        return shown ? [shown.id] : []
      })
    : defined.filter(id => find(id) !== undefined)
  const ofKind = (kind: string) => ids.filter(id => find(id)?.definition.kind === kind)
  return {
    drillMembers: ids,
    drillMembersGrouped: { measures: ofKind('measure'), dimensions: ofKind('dimension') },
  }
}

/** Where a view's member comes from. */
export const aliasMember = ({ cube, definition }: DimensionMember | MeasureMember | Member, source: Source) =>
  source.definition.kind === 'view' ? { aliasMember: `${cube.name}.${definition.name}` } : {}
