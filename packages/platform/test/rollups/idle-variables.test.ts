import { expect, test } from 'vitest'
import { idleRollupVariables } from '../../src/rollups/idle-variables.ts'

test('variables about rollups that nothing reads are told apart from those that are read and from all others', () => {
  const names = [
    'CUBEJS_SCHEDULED_REFRESH_TIMER',
    'CUBEJS_PRE_AGGREGATIONS_SCHEMA',
    'CUBEJS_CUBESTORE_HOST',
    'CUBEJS_REFRESH_WORKER',
    'CUBEJS_PRE_AGGREGATIONS_BUILDER',
    'CUBEJS_SCHEDULED_REFRESH_TIMEZONES',
    'CUBEJS_ROLLUP_ONLY',
    'CUBEJS_DB_HOST',
    'MY_CUBEJS_CUBESTORE_HOST',
  ]
  expect(idleRollupVariables(Object.fromEntries(names.map(name => [name, 'x'])))).toEqual([
    'CUBEJS_CUBESTORE_HOST',
    'CUBEJS_PRE_AGGREGATIONS_SCHEMA',
    'CUBEJS_REFRESH_WORKER',
    'CUBEJS_SCHEDULED_REFRESH_TIMER',
  ])
})
