import type { Scenario } from '../shapes.ts'
import { chat } from './chat.ts'
import { chatAbort } from './chat-abort.ts'
import { clients } from './clients.ts'
import { commandLine } from './command-line.ts'
import { compile } from './compile.ts'
import { contentLists } from './content-lists.ts'
import { deploy } from './deploy.ts'
import { embedDashboard } from './embed-dashboard.ts'
import { embedPages } from './embed-pages.ts'
import { embedSessions } from './embed-sessions.ts'
import { embedTenants } from './embed-tenants.ts'
import { loadCached } from './load-cached.ts'
import { loadCompiling } from './load-compiling.ts'
import { loadUncached } from './load-uncached.ts'
import { memory } from './memory.ts'
import { rollups } from './rollups.ts'
import { sql } from './sql.ts'
import { start } from './start.ts'
import { stream } from './stream.ts'
import { writeFiles } from './write-files.ts'

/** In the order in which they run and are printed. */
export const scenarios: readonly Scenario[] = [
  start,
  writeFiles,
  deploy,
  embedSessions,
  chat,
  chatAbort,
  contentLists,
  loadUncached,
  loadCached,
  loadCompiling,
  clients,
  embedDashboard,
  embedPages,
  sql,
  stream,
  rollups,
  embedTenants,
  commandLine,
  compile,
  memory,
]
