import { type DescribedPreAggregation, describePreAggregations, type Model } from '@hedron/semantic'
import type { DataNeeds } from '../operations/operation-needs.ts'
import type { SystemCaller } from './system-caller.ts'
import { findSystemModel } from './wanted-rollups.ts'

/** A pre-aggregation as the field's console knows it. */
export interface ListedRollup {
  /** `cube.name` */
  readonly id: string
  readonly preAggregationName: string
  readonly cube: string
  readonly preAggregation: DescribedPreAggregation
  readonly references: Pick<DescribedPreAggregation, 'measures' | 'dimensions' | 'segments' | 'timeDimensions'> & {
    readonly rollups: readonly string[]
  }
}

export const listRollups = (model: Model): readonly ListedRollup[] =>
  describePreAggregations(model).map(({ cube, ...preAggregation }) => {
    const { name, measures, dimensions, segments, timeDimensions, rollups = [] } = preAggregation
    return {
      id: `${cube}.${name}`,
      preAggregationName: name,
      cube,
      preAggregation,
      references: { measures, dimensions, segments, timeDimensions, rollups },
    }
  })

/** All pre-aggregations of a model: `GET /cubejs-system/v1/pre-aggregations`. */
export const createListRollups =
  (needs: DataNeeds) =>
  async (caller: SystemCaller): Promise<object> => ({
    preAggregations: listRollups((await findSystemModel(needs, caller)).model),
  })
