#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Files, names, passwords and the writing of rollups share libuv's pool of threads; its four are too few. Read when the pool is
// first used, so it stands before everything.
process.env.UV_THREADPOOL_SIZE ??= '12'

// Dates of queries are read in the query's own zone; a machine that changes its clocks must not take part.
process.env.TZ = 'UTC'

// Before anything else is loaded, so that all of it is kept in compiled form for the next start.
enableCompileCache()
await import('./start.ts')
