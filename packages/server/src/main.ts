#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Before anything else is loaded, so that all of it is kept in compiled form for the next start.
enableCompileCache()
await import('./start.ts')
