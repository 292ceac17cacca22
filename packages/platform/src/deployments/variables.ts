import { CodedError } from '@hedron/contract'
import { type Executor, type Store, variables } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { Effects } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { page } from '../page.ts'
import type { FaultOfSources } from '../queries/source-faults.ts'
import { seal, unseal } from '../seal.ts'
import type { FindDeployment } from './find-deployment.ts'
import { isSecretVariable } from './secret-variable.ts'
import { faultOf } from './variable-values.ts'

/** What a secret variable reads as; refused as a value, so that reading and writing back cannot destroy one. */
const mask = '[ENCRYPTED]'

const newName = /^[A-Za-z_][A-Za-z0-9_]*$/

export type SaveVariables = (
  executor: Executor,
  accountId: number,
  deploymentId: number,
  values: Readonly<Record<string, string>>,
) => Promise<void>

export type ReadVariables = (
  executor: Executor,
  accountId: number,
  deploymentId: number,
) => Promise<Readonly<Record<string, string>>>

interface VaultNeeds {
  readonly effects: Effects
  readonly secretKey: Buffer
}

/** Reads and writes the variables of a deployment; they are sealed at rest. */
export function createVariableVault({ effects, secretKey }: VaultNeeds) {
  const purpose = (deploymentId: number, name: string) => `variable ${deploymentId} ${name}`
  const save: SaveVariables = async (executor, accountId, deploymentId, values) => {
    const sealed = Object.entries(values).map(([name, value]) => ({
      name,
      sealed: seal(secretKey, purpose(deploymentId, name), value, effects),
    }))
    await variables.upsertVariables(executor, accountId, deploymentId, sealed)
  }
  const open = (deploymentId: number, { name, sealed }: variables.SealedVariable) =>
    unseal(secretKey, purpose(deploymentId, name), sealed)
  const read: ReadVariables = async (executor, accountId, deploymentId) => {
    const rows = await variables.listVariables(executor, accountId, deploymentId)
    return Object.fromEntries(rows.map(row => [row.name, open(deploymentId, row)]))
  }
  return { save, read, open }
}
export type VariableVault = ReturnType<typeof createVariableVault>

interface VariablesNeed {
  readonly store: Store
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly vault: VariableVault
  readonly faultOfSources: FaultOfSources
  /** The data source may have changed: forget connections and results. */
  readonly forgetDeployment: (deploymentId: number) => Promise<void>
}

export function createVariableOperations(need: VariablesNeed): Pick<Operations, 'getEnvVariables' | 'setEnvVariables'> {
  const { store, audit, findDeployment, vault } = need

  return {
    async getEnvVariables(caller, { params, query }) {
      const { id } = await findDeployment(caller, params.deploymentId, 'DeploymentRead')
      return list(caller.accountId, id, query)
    },

    async setEnvVariables(caller, { params, body }, context) {
      const { id } = await findDeployment(caller, params.deploymentId, 'DeploymentUpdate')
      await store.transaction(async transaction => {
        const stored = await variables.listVariables(transaction, caller.accountId, id)
        const known = new Set(stored.map(row => row.name))
        const values = new Map<string, string>()
        for (const { name, value } of body.env_variables) {
          checkVariable(name, value, known)
          if (values.has(name))
            throw new CodedError('variable_invalid', { name, reason: 'it is there twice in the request' })
          values.set(name, value)
        }
        checkSources(stored, values, { open: row => vault.open(id, row), faultOf: all => need.faultOfSources(id, all) })
        await vault.save(transaction, caller.accountId, id, Object.fromEntries(values))
        await audit(transaction, caller, context, 'variables.set', `deployment ${id}`, { names: [...values.keys()] })
      })
      await need.forgetDeployment(id)
      return list(caller.accountId, id, {})
    },
  }

  function list(
    accountId: number,
    deploymentId: number,
    query: { first?: number | undefined; after?: string | undefined },
  ) {
    return page(
      'variables',
      query,
      ({ limit, after }: { limit: number; after: readonly [string] | undefined }) =>
        variables.listVariables(store.kysely, accountId, deploymentId, { after: after?.[0], limit }),
      row => [row.name] as const,
      row => ({ name: row.name, value: isSecretVariable(row.name) ? mask : vault.open(deploymentId, row) }),
    )
  }
}

function checkVariable(name: string, value: string, known: ReadonlySet<string>): void {
  if (!known.has(name) && !newName.test(name)) {
    throw new CodedError('variable_invalid', {
      name,
      reason: 'a name begins with a letter or _ and goes on with letters, digits and _',
    })
  }
  if (value === mask) {
    throw new CodedError('variable_invalid', {
      name,
      reason: `${mask} is what a hidden value reads as; send the value itself, or leave the variable out to keep it`,
    })
  }
  if (value.includes('\0'))
    throw new CodedError('variable_invalid', { name, reason: 'its value holds a NUL character' })
  const fault = faultOf(name, value)
  if (fault !== undefined) throw new CodedError('variable_invalid', { name, reason: fault })
}

/** Refuses a value that data sources cannot use. One that is missing is not in the request, and may follow in the next. */
function checkSources(
  stored: readonly variables.SealedVariable[],
  values: ReadonlyMap<string, string>,
  {
    open,
    faultOf,
  }: {
    readonly open: (row: variables.SealedVariable) => string
    readonly faultOf: (all: Readonly<Record<string, string>>) => ReturnType<FaultOfSources>
  },
): void {
  if (![...values.keys()].some(name => name.startsWith('CUBEJS_'))) return
  const kept = Object.fromEntries(stored.filter(({ name }) => !values.has(name)).map(row => [row.name, open(row)]))
  const fault = faultOf({ ...kept, ...Object.fromEntries(values) })
  if (!fault || !values.get(fault.name)?.trim()) return
  throw new CodedError('variable_invalid', { name: fault.name, reason: fault.reason.replace(/\.$/, '') })
}
