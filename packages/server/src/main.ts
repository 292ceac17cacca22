#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Each running query of the embedded engine holds a thread of libuv's pool, which files and name look-ups share; its four are
// too few. Read when the pool is first used, so it stands before everything.
const moreQueries = Math.max(0, Number(process.env.HEDRON_EMBEDDED_QUERIES || 3) - 3) || 0
process.env.UV_THREADPOOL_SIZE ??= String(Math.min(12 + moreQueries, 1024))

// Dates of queries are read in the query's own zone; a machine that changes its clocks must not take part.
process.env.TZ = 'UTC'

// Before anything else is loaded, so that all of it is kept in compiled form for the next start.
enableCompileCache()
await import('./start.ts')
