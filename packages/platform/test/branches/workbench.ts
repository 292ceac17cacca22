import { CodedError, type ErrorCode } from '@hedron/contract'
import { accounts, branches, deployments, openStore, type Store, users } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { expect } from 'vitest'
import { createAudit } from '../../src/audit.ts'
import { createBranchOperations } from '../../src/branches/branch-operations.ts'
import { createCloneSource } from '../../src/branches/clone-source.ts'
import { createProject } from '../../src/branches/create-project.ts'
import { createObjectStore } from '../../src/branches/object-store.ts'
import { createBuildOperations } from '../../src/builds/build-operations.ts'
import { createBuildRunner } from '../../src/builds/build-runner.ts'
import type { Compiler } from '../../src/builds/compiler.ts'
import { createFindBranchModel } from '../../src/builds/find-branch-model.ts'
import { createReadModel } from '../../src/builds/read-model.ts'
import type { CallContext, Caller } from '../../src/caller.ts'
import { createReadAgentFiles } from '../../src/chat/agents/read-agent-files.ts'
import { createFindDeployment } from '../../src/deployments/find-deployment.ts'
import type { Effects } from '../../src/effects.ts'
import { createFileOperations } from '../../src/files/file-operations.ts'
import { createUploadOperations } from '../../src/uploads/upload-operations.ts'
import { lineCompiler } from './line-compiler.ts'

type Settings = Parameters<typeof deployments.updateDeployment>[3]

/** A store with one account, and the operations on files and branches as the platform puts them together. */
export async function createWorkbench(compiler: Compiler = lineCompiler()) {
  const database = await createTestDatabase()
  const store = await openStore({ url: database.url })
  const account = await accounts.ensureAccount(store.kysely, 'acme')
  const effects = createEffects()
  const objects = createObjectStore()
  const reported: unknown[] = []
  const report = (error: unknown) => {
    reported.push(error)
  }
  const audit = createAudit(effects)
  const findDeployment = createFindDeployment(store.kysely)
  const readModel = createReadModel({ store, objects, compiler, report })
  const runner = createBuildRunner({ onBuilt: () => {}, store, effects, readModel, report })
  const agentFiles = createReadAgentFiles({ store, objects, directoryOf: async () => 'agents' })
  const needs = { store, objects, effects, audit, findDeployment, readModel, agentFiles, wakeBuilds: runner.notify }
  const operations = {
    ...createBranchOperations(needs),
    ...createFileOperations(needs),
    ...createUploadOperations(needs),
    ...createBuildOperations(needs),
  }
  let names = 0

  async function createUser(name: string): Promise<number> {
    const user = await users.insertUser(store.kysely, {
      accountId: account.id,
      email: `${name}@example.com`,
      username: name,
    })
    if (!user) throw new Error(`user ${name} is there already`)
    return user.id
  }

  return {
    store,
    effects,
    objects,
    operations,
    runner,
    readModel,
    agentFiles,
    reported,
    account,
    findBranchModel: createFindBranchModel({ store, objects, readModel, planNames: { read: () => undefined } }),
    cloneSource: createCloneSource({ store, objects, findDeployment }),
    createUser,

    /** A caller that may do everything with deployments, unless told otherwise. */
    caller: (name: string, changes: Partial<Caller> = {}): Caller => ({
      accountId: account.id,
      userId: null,
      name,
      email: `${name}@example.com`,
      isAdmin: false,
      policies: [{ resourceType: 'Deployment', actions: ['All'], resources: ['All'] }],
      deploymentScope: null,
      credential: `key:${name}`,
      embed: null,
      ...changes,
    }),

    /** A deployment with a first commit. */
    async deployment(files: Readonly<Record<string, string>> = {}, settings: Settings = {}): Promise<number> {
      return store.transaction(async transaction => {
        const row = await deployments.insertDeployment(transaction, {
          accountId: account.id,
          name: `deployment ${++names}`,
          creationStep: 'ready',
          creationMethod: null,
          deployMode: 'cli',
          cloudProvider: 'cubecloud',
          region: 'local',
          targetPlatform: 'aws',
          isManaged: true,
          releaseChannelVersion: '1.0.0',
          customDomain: null,
          defaultLaunchpadViewGroup: null,
          deployBranchId: null,
        })
        if (!row) throw new Error('the name is taken')
        const branch = await createProject(objects, transaction, {
          accountId: account.id,
          deploymentId: row.id,
          files: new Map(Object.entries(files)),
          author: { name: 'Ada', email: 'ada@example.com' },
          at: effects.now(),
        })
        await deployments.updateDeployment(transaction, account.id, row.id, { ...settings, deployBranchId: branch.id })
        return row.id
      })
    },

    async settings(deploymentId: number, values: Settings): Promise<void> {
      await deployments.updateDeployment(store.kysely, account.id, deploymentId, values)
    },

    async branch(deploymentId: number, name: string): Promise<branches.BranchRow> {
      const row = await branches.findBranch(store.kysely, account.id, deploymentId, { name })
      if (!row) throw new Error(`there is no branch ${name}`)
      return row
    },

    async close(): Promise<void> {
      await runner.close()
      await store.close()
      await database.close()
    },
  }
}

export type Workbench = Awaited<ReturnType<typeof createWorkbench>>

export const context: CallContext = {
  requestId: 'request-1',
  address: '127.0.0.1',
  signal: new AbortController().signal,
}

/** A clock that goes on by a second for each look, and random bytes that count. */
function createEffects(): Effects & { advance(milliseconds: number): void } {
  let time = Date.UTC(2026, 0, 1)
  let count = 0
  return {
    now: () => {
      time += 1000
      return new Date(time)
    },
    randomBytes(length) {
      const bytes = Buffer.alloc(length)
      bytes.writeUInt32BE(++count, length - 4)
      return bytes
    },
    advance(milliseconds) {
      time += milliseconds
    },
  }
}

/** The refusal that a call ends in. */
export async function refusal(call: Promise<unknown>, code: ErrorCode): Promise<CodedError> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    expect(error.code, error.message).toBe(code)
    return error
  }
  throw new Error(`the call was not refused with ${code}`)
}

/** How many rows of the audit log say this. */
export async function auditedActions(store: Store): Promise<string[]> {
  const rows = await store.kysely.selectFrom('auditLog').select('action').orderBy('id').execute()
  return rows.map(row => row.action)
}
