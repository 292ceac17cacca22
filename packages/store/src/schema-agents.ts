import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { CreatedAt, UpdatedAt } from './column-types.ts'

/** An agent of a deployment. What it is like is in the files of a branch; this is its number. */
export interface AgentTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  name: string
  space: Generated<string>
  /** False: the files of the deploy branch do not name it any more. */
  isConfigured: Generated<boolean>
  /** Whether embed sessions may ask it. */
  allowEmbedding: Generated<boolean>
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

/** What somebody asked an agent to remember. */
export interface AgentMemoryTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  space: string
  /** Who asked. */
  userId: number
  isExternal: boolean
  /** Of an external user, as it was then. */
  embedTenantId: number | null
  text: string
  createdAt: Date
}

/** What was found in the folder of agents of a shared branch when it was read last. */
export interface AgentFilesTable {
  accountId: number
  deploymentId: number
  branchId: number
  /** Git id of the folder that was read. */
  tree: Buffer
  /** Of the last one without problems; null: there was none. */
  goodTree: Buffer | null
  /** What is wrong with `tree`; null: nothing. */
  problem: string | null
}

export type EvalStatus = 'queued' | 'running' | 'completed' | 'failed'

/** One evaluation: the questions of one agent's space, asked on one branch. */
export interface EvalRunTable {
  id: GeneratedAlways<number>
  accountId: number
  deploymentId: number
  branchName: string
  agentName: string
  questionFile: string | null
  /** With whose rights the questions are asked; null: those of a key without a user. */
  userId: number | null
  credential: string
  askerName: string
  askerEmail: string
  status: Generated<EvalStatus>
  errorText: string | null
  attempts: Generated<number>
  /** Until when the node that works on it is taken to be alive. */
  leasedUntil: Date | null
  createdAt: CreatedAt
  startedAt: Date | null
  finishedAt: Date | null
}

export type EvalVerdict = 'pass' | 'fail' | 'review' | 'error'

/** What tells the right answer, as it was when the run began. */
export type EvalTruth =
  | { readonly certifiedQuery: string; readonly sql: string | null }
  | { readonly certifiedQuery: null; readonly sql: string }

export interface EvalResultTable {
  accountId: number
  runId: number
  position: number
  name: string
  question: string
  truth: ColumnType<EvalTruth, string, never>
  /** Null: not asked yet. */
  verdict: EvalVerdict | null
  /** Why the verdict is not pass, in the field's words. */
  reason: string | null
  detail: string | null
  agentSql: string | null
  truthSql: string | null
  answer: string | null
  finishedAt: Date | null
}
