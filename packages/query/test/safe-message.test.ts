import { expect, test } from 'vitest'
import { safeMessage } from '../src/safe-message.ts'

test.for([
  ['No files match "/srv/data/a b/flights.parquet"', 'No files match "<path>"'],
  ['No files match "/srv/data/d1/flights.parquet"', 'No files match "flights.parquet"'],
  ['No files match "/srv/data/d1/2001/*.parquet"', 'No files match "2001/*.parquet"'],
  ['Cannot open /srv/data/d1/../d2/x.csv', 'Cannot open ../d2/x.csv'],
  ['Cannot open /srv/data/d1', 'Cannot open <path>'],
  ['Cannot open /srv/data/d12/x.csv: denied', 'Cannot open <path>: denied'],
  ["in ('/root/.duckdb/extensions', '/tmp')", "in ('<path>', '<path>')"],
  ['connect ECONNREFUSED 10.1.2.3:5432', 'connect ECONNREFUSED <address>'],
  ['connect ECONNREFUSED [fd00::1]:5432', 'connect ECONNREFUSED <address>'],
  ['GET http://169.254.169.254/latest/meta-data failed', 'GET <address> failed'],
  ['cannot divide a/b, 10 / 2 or 1.5', 'cannot divide a/b, 10 / 2 or 1.5'],
  ['Binder Error: no column "x"\n\nLINE 1: SELECT secret FROM t\n        ^', 'Binder Error: no column "x"'],
  [
    'Invalid Input Error: More than one row.\n\nUse "SET scalar_subquery_error_on_multiple_rows=false" to revert to it.',
    'Invalid Input Error: More than one row.',
  ],
] as const)('%j becomes %j', ([message, safe]) => {
  expect(safeMessage(message, '/srv/data/d1')).toBe(safe)
})
