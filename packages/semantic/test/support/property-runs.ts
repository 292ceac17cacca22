/**
 * On how many random cases each property of answers is tried in a build: a model, data, a query or several of these, whose
 * rows are compared with those of another way to the same answer. `property-runs.test.ts` adds them up.
 */
const cases = {
  'answers of generated models are those of the field': 1_200,
  'default filters that are not told': 150,
  'facts and sub-queries': 400,
  'filters in another order': 200,
  'functions of the values of filters': 500,
  'grains with multi-stage dimensions': 250,
  'joined rows keep filters that take nulls': 300,
  'masked measures': 150,
  'multi-stage dimensions': 400,
  'multi-stage measures beside others': 200,
  pages: 60,
  'parts of a date range': 400,
  policies: 400,
  'policies and measures in stages': 150,
  'policies on several facts': 150,
  'policies on switches': 500,
  'policies where joins lead both ways': 150,
  'queries that are known': 600,
  'restated filters': 600,
  'rolling windows': 1_200,
  'rollups end to end': 150,
  'rollups made of others that the field chooses': 600,
  'rollups that are joined': 300,
  'rollups that match': 800,
  'rollups that the field chooses': 600,
  'shifts by a calendar': 800,
  'shifts of time': 1_200,
  'stages where joins lead both ways': 400,
  'steps of months and days': 800,
  'templates of queries': 600,
  totals: 300,
  'ungrouped queries': 400,
  'windows of months and days': 300,
  'windows of shifts by a calendar': 300,
  'windows to date': 1_200,
} as const

export type PropertyName = keyof typeof cases

export const propertyNames = Object.keys(cases)

/** Of all properties in one build. */
export const casesOfBuild = Object.values(cases).reduce((sum, count) => sum + count, 0)

const everywhere = process.env.HEDRON_PROPERTY_RUNS

/** How often a property is tried; `HEDRON_PROPERTY_RUNS` says it for all of them. */
export const runsOf = (name: PropertyName): number => (everywhere === undefined ? cases[name] : Number(everywhere))
