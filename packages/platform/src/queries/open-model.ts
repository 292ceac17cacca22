import type { Model } from '@hedron/semantic'

const known = new WeakMap<Model, boolean>()

/** Whether no policy keeps anything of a model from anybody, so that who may ask may also be told what all of its rows say. */
export function isOpenModel(model: Model): boolean {
  const found = known.get(model)
  if (found !== undefined) return found
  const isOpen = [...model.cubes, ...model.views].every(({ accessPolicies }) => accessPolicies.length === 0)
  known.set(model, isOpen)
  return isOpen
}
