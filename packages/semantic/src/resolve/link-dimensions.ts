import { oncePerObject } from '../once-per-object.ts'
import type { CubeSpec, DimensionSpec, LinkSpec } from '../shapes/tree.ts'

/** The dimension that holds the address of a link. */
export const linkDimensionName = (dimension: string, link: string) => `${dimension}___link_${link}_url`

/** A cube with a dimension for each link of its dimensions, so that addresses can be queried. Parents are merged before. */
export const withLinkDimensions = oncePerObject((spec: CubeSpec): CubeSpec => {
  if (spec.dimensions.every(({ links }) => links.length === 0)) return spec
  return {
    ...spec,
    dimensions: spec.dimensions.flatMap(dimension => [
      dimension,
      ...dimension.links.map(link => linkDimension(dimension, link)),
    ]),
  }
})

const linkDimension = (dimension: DimensionSpec, link: LinkSpec): DimensionSpec => ({
  ...dimension,
  name: { value: linkDimensionName(dimension.name.value, link.name.value), at: link.name.at },
  title: null,
  description: null,
  public: dimension.public ?? true,
  type: 'string',
  sql: null,
  latitude: null,
  longitude: null,
  cases: null,
  choice: null,
  stage: null,
  address: link,
  isPrimaryKey: false,
  suggestFilterValues: true,
  format: null,
  currency: null,
  order: null,
  key: null,
  links: [],
  mask: null,
  granularities: [],
  timeShifts: [],
})
