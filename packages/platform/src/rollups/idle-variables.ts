import { isReadVariable } from '../deployments/variable-values.ts'

/** What they would set up: a store of rollups, a worker that refreshes them, or how tables are kept in a database. */
const ofRollups =
  /^CUBEJS_(?:(?:PRE_AGGREGATIONS|SCHEDULED_REFRESH|CUBESTORE|EXT_DB|TOUCH_PRE_AGG|DROP_PRE_AGG)_\w+|REFRESH_WORKER|EXTERNAL_DEFAULT|MAX_PARTITIONS_PER_CUBE)$/

/** Variables about rollups that projects of the field set and that change nothing here (docs/rollups.md), in order of their names. */
export const idleRollupVariables = (variables: Readonly<Record<string, string>>): string[] =>
  Object.keys(variables)
    .filter(name => ofRollups.test(name) && !isReadVariable(name))
    .toSorted()
