import type { ProblemLog } from '../messages/model-messages.ts'
import { oncePerObject } from '../once-per-object.ts'
import type { ViewCubeSpec, ViewSpec } from '../shapes/tree.ts'
import { extendSpecs } from './extend-specs.ts'

/**
 * Replaces `extends` of views: the parent's properties, and its cubes and folders before the child's own. Default filters
 * are the child's where it has any; access policies add up.
 */
export const extendViews = (
  views: ReadonlyMap<string, ViewSpec>,
  mayExist: (name: string) => boolean,
  log: ProblemLog,
): Map<string, ViewSpec> => extendSpecs('View', views, mergedInto, mayExist, log)

const mergedInto = oncePerObject((parent: ViewSpec) => oncePerObject((child: ViewSpec) => merge(parent, child)))

const merge = (parent: ViewSpec, child: ViewSpec): ViewSpec => ({
  ...child,
  extends: null,
  title: child.title ?? parent.title,
  description: child.description ?? parent.description,
  public: child.public ?? parent.public,
  meta: child.meta ?? parent.meta,
  cubes: [...parent.cubes, ...child.cubes],
  folders: [...parent.folders, ...child.folders],
  accessPolicy: [...parent.accessPolicy, ...child.accessPolicy],
  defaultFilters: child.defaultFilters.length > 0 ? child.defaultFilters : parent.defaultFilters,
  viewGroups: child.viewGroups.length > 0 ? child.viewGroups : parent.viewGroups,
})

/** A view and the views that it is split into: one for each cube with `split`, named for the view and the cube. */
export const splitView = oncePerObject((spec: ViewSpec): readonly ViewSpec[] => {
  const split = new Map<string, ViewCubeSpec[]>()
  for (const cube of spec.cubes) {
    if (!cube.split) continue
    const name = `${spec.name.value}_${cube.alias ?? cube.joinPath.value.at(-1) ?? ''}`
    split.set(name, [...(split.get(name) ?? []), cube])
  }
  if (split.size === 0) return [spec]
  const parts = [...split].map(
    ([name, cubes]): ViewSpec => ({
      ...spec,
      name: { value: name, at: cubes[0]?.joinPath.at ?? spec.name.at },
      title: null,
      description: null,
      meta: null,
      cubes,
      folders: [],
      defaultFilters: [],
      viewGroups: [],
    }),
  )
  return [{ ...spec, cubes: spec.cubes.filter(cube => !cube.split) }, ...parts]
})
