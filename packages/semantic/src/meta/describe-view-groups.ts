import type { MetaCube, MetaViewGroup } from '../shapes/meta.ts'
import type { Model, ViewGroup } from '../shapes/model.ts'
import { present } from './present-member.ts'

/** The `viewGroups` of `/v1/meta`, with the views that are among `shown`; groups that have none of them are left out. */
export function describeViewGroups({ viewGroups }: Model, shown: readonly MetaCube[]): MetaViewGroup[] {
  const names = new Set(shown.map(({ name }) => name))
  const describe = ({ name, title, description, includes }: ViewGroup): MetaViewGroup[] => {
    const items = includes.flatMap((item): (string | MetaViewGroup)[] => {
      if (typeof item !== 'string') return describe(item)
      return names.has(item) ? [item] : []
    })
    if (items.length === 0) return []
    const views = items.filter(item => typeof item === 'string')
    return [{ name, ...present({ title, description }), views, includes: items }]
  }
  return viewGroups.flatMap(describe)
}
