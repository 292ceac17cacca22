import type { Migration } from '../migrate.ts'
import { first } from './0001-first.ts'
import { branchChanges } from './0002-branch-changes.ts'
import { modelWarnings } from './0003-model-warnings.ts'
import { rollups } from './0004-rollups.ts'
import { people } from './0005-people.ts'
import { content } from './0006-content.ts'
import { chat } from './0007-chat.ts'
import { agents } from './0008-agents.ts'
import { signIn } from './0009-sign-in.ts'
import { syncJobs } from './0010-sync-jobs.ts'
import { rollupSteps } from './0011-rollup-steps.ts'
import { reportLists } from './0012-report-lists.ts'
import { agentMemories } from './0014-agent-memories.ts'
import { assistants } from './0015-assistants.ts'
import { privateSessions } from './0017-private-sessions.ts'
import { sessionRoles } from './0018-session-roles.ts'
import { deletionIndexes } from './0022-deletion-indexes.ts'

/** Every step of the schema, in the order in which it is applied. */
export const migrations: readonly Migration[] = [
  first,
  branchChanges,
  modelWarnings,
  rollups,
  people,
  content,
  chat,
  agents,
  signIn,
  syncJobs,
  rollupSteps,
  reportLists,
  agentMemories,
  assistants,
  privateSessions,
  sessionRoles,
  deletionIndexes,
]
