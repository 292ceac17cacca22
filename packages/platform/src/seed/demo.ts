import { deployments, installation, type Store } from '@hedron/store'
import type { CallContext, Caller } from '../caller.ts'
import type { CreateDeployment, NewDeployment } from '../deployments/create-deployment.ts'

/** A project to make a deployment of. */
export interface DemoProject {
  readonly name: string
  readonly files: ReadonlyMap<string, string>
  readonly variables: Readonly<Record<string, string>>
}

interface DemoNeeds {
  readonly store: Store
  readonly createDeployment: CreateDeployment
  readonly defaults: Omit<NewDeployment, 'name' | 'files' | 'variables'>
  /** Puts the project's data where the deployment reads it; may find it there already. */
  readonly provideData: (deploymentId: number) => Promise<void>
}

/**
 * Makes the demo deployment of an account once; one that was deleted is not made again. Its data is put in place at every start,
 * because each node has files of its own.
 *
 * @returns the deployment's id, or null where it was deleted.
 */
export async function ensureDemo(
  { store, createDeployment, defaults, provideData }: DemoNeeds,
  caller: Caller,
  context: CallContext,
  project: DemoProject,
): Promise<number | null> {
  const { name, files, variables } = project
  const fact = `demo ${caller.accountId}`
  const known = await installation.readInstallation(store.kysely, fact)
  if (known) {
    const id = typeof known.deploymentId === 'number' ? known.deploymentId : 0
    const row = await deployments.findDeployment(store.kysely, caller.accountId, id)
    if (!row) return null
    await provideData(row.id)
    return row.id
  }
  const existing = await deployments.findDeploymentByName(store.kysely, caller.accountId, name)
  const { id } = existing ?? (await createDeployment(caller, context, { ...defaults, name, files, variables }))
  await provideData(id)
  await installation.claimInstallation(store.kysely, fact, { deploymentId: id })
  return id
}
