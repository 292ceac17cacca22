import { oncePerObject } from '../once-per-object.ts'
import type { Model } from '../shapes/model.ts'

let models = 0

/** No two models of this process have the same: what is kept for one is found for no other. */
export const modelNumber = oncePerObject((_: Model): number => ++models)
