import { CodedError } from '@hedron/contract'
import { deployments, type Listener, listen } from '@hedron/store'
import { createAudit } from './audit.ts'
import { authorOf } from './branches/author.ts'
import { createBranchOperations } from './branches/branch-operations.ts'
import { createCloneSource } from './branches/clone-source.ts'
import { createProject } from './branches/create-project.ts'
import { createObjectStore } from './branches/object-store.ts'
import { findSharedBranch } from './branches/resolve-branch.ts'
import { createBranchChanges } from './builds/branch-changes.ts'
import { createBuildOperations } from './builds/build-operations.ts'
import { createBuildRunner } from './builds/build-runner.ts'
import { createFindBranchModel } from './builds/find-branch-model.ts'
import { createReadModel } from './builds/read-model.ts'
import { rememberBranches } from './builds/remember-branches.ts'
import { createSemanticCompiler } from './builds/semantic-compiler.ts'
import { createAgentOperations } from './chat/agents/agent-operations.ts'
import { createFindBranchAgents } from './chat/agents/branch-agents.ts'
import { createFindAgent } from './chat/agents/find-agent.ts'
import { createReadAgentFiles } from './chat/agents/read-agent-files.ts'
import { rememberAgents } from './chat/agents/remember-agents.ts'
import { createBuiltInAnalyst } from './chat/built-in-analyst.ts'
import { createChatService } from './chat/chat-api.ts'
import { createChooseAgent } from './chat/choose-agent.ts'
import { createEvals } from './chat/evals/evals.ts'
import { createFindAddressed } from './chat/find-addressed.ts'
import { createMcp } from './chat/mcp/mcp.ts'
import { createFindMemories } from './chat/memories/memories.ts'
import { createChatTools } from './chat/tools/chat-tools.ts'
import { createGitAccess } from './clone.ts'
import { createContentAccess } from './content/access/content-access.ts'
import { createContentOperations } from './content/content-operations.ts'
import { createSyncOperations } from './dbt/dbt-operations.ts'
import { createSyncRunner } from './dbt/sync-runner.ts'
import { createCreateDeployment, deploymentDefaults } from './deployments/create-deployment.ts'
import { createDeploymentOperations } from './deployments/deployment-operations.ts'
import { createFindDeployment } from './deployments/find-deployment.ts'
import { createVariableOperations, createVariableVault } from './deployments/variables.ts'
import { createAuthenticateEmbed } from './embedding/authenticate-embed.ts'
import { createEmbedFraming } from './embedding/embed-framing.ts'
import { createEmbedSecrets } from './embedding/embed-secrets.ts'
import { guardEmbeds } from './embedding/guard-embeds.ts'
import { createEmbedHousekeeping } from './embedding/housekeeping.ts'
import { createOpenPrivateSession } from './embedding/private-sessions.ts'
import { createSessionOperations } from './embedding/session-operations.ts'
import { createEmbedTenantOperations } from './embedding/tenants/tenant-operations.ts'
import { createEnvironmentOperations } from './environments/environment-operations.ts'
import { createFileOperations } from './files/file-operations.ts'
import { createLogOperations } from './logs/log-operations.ts'
import type { Operations } from './operations.ts'
import { createApiKeyOperations } from './people/api-key-operations.ts'
import { createAttributeOperations } from './people/attributes/attribute-operations.ts'
import { createAuthenticate } from './people/authenticate.ts'
import { createGroupOperations } from './people/groups/group-operations.ts'
import { createRefusals } from './people/refusals.ts'
import { createRoleOperations } from './people/roles/role-operations.ts'
import { createSettingsOperations } from './people/settings-operations.ts'
import { createUserAdministration } from './people/users/user-administration.ts'
import { createUserOperations } from './people/users/user-operations.ts'
import { createPlanNames } from './plans/plan-name.ts'
import { createPlanOperations } from './plans/plan-operations.ts'
import type { Platform, PlatformNeeds } from './platform-shape.ts'
import { createCancelEverywhere } from './queries/cancel-everywhere.ts'
import { createDataApi } from './queries/data-api.ts'
import { createDeploymentRuntimes, poolName } from './queries/deployment-runtime.ts'
import { shareLookups } from './queries/share-lookups.ts'
import { createFaultOfSources } from './queries/source-faults.ts'
import { createCheckAuths } from './queries/tokens/check-auth/check-auth.ts'
import { createRollupAnswers } from './rollups/answer-from-rollup.ts'
import { createRollupKeeper } from './rollups/rollup-keeper.ts'
import { createRollupSchedule } from './rollups/schedule.ts'
import { ensureDemo } from './seed/demo.ts'
import { ensureDemoWorkbook } from './seed/demo-workbook.ts'
import { ensureFirstAccount } from './seed/first-account.ts'
import { createAuthenticateLogin } from './sign-in/authenticate-login.ts'
import { createSignInLinkOperations } from './sign-in/link-operations.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createCatalogAnswers } from './sql/catalog/catalog-answers.ts'
import { createSqlAccess } from './sql/sql-access.ts'
import { tellChanges } from './tell-changes.ts'
import { createUploadOperations } from './uploads/upload-operations.ts'

/** Puts the platform together; every operation of the contract has a function here, or this does not compile. */
export function createPlatform(needs: PlatformNeeds): Platform {
  const { store, effects, queryService, secretKey, releases, baseUrl, report } = needs
  const audit = createAudit(effects)
  const refusals = createRefusals({ store, effects, report })
  const objects = createObjectStore()
  const vault = createVariableVault({ effects, secretKey })
  const findDeployment = createFindDeployment(store.kysely)
  const compiler = createSemanticCompiler(needs.compilerVersion)
  const readModel = createReadModel({ store, objects, compiler, report })
  let listener: Listener | undefined
  const changes = createBranchChanges()
  const directoryOf = async (deploymentId: number) => (await runtimes.find(deploymentId))?.agentsDirectory() ?? null
  const agentFiles = createReadAgentFiles({ store, objects, directoryOf })
  const findBranchAgents = createFindBranchAgents({ store, objects, effects, agentFiles })
  const planNames = createPlanNames({ effects, secretKey })
  const builds = createBuildRunner({
    store,
    effects,
    readModel,
    report,
    onBuilt: changes.changed,
    afterBuild: async ({ accountId, deploymentId, branchId }) => {
      await findBranchAgents(accountId, deploymentId, { id: branchId })
    },
  })
  const findBranchModel = rememberBranches(
    shareLookups(createFindBranchModel({ store, objects, readModel, planNames })),
    changes,
  )
  const dataDirectory = (deploymentId: number) => needs.dataFolders.pathOf(deploymentId)
  const runtimes = createDeploymentRuntimes({ store, readVariables: vault.read, dataDirectory })
  const rollups = createRollupKeeper({
    ...needs,
    ...needs.rollups,
    limits: needs.rollups,
    poolName,
    sourceOf: async (deploymentId, name) => (await runtimes.find(deploymentId))?.sources().get(name),
  })
  const schedule = createRollupSchedule({
    store,
    keeper: rollups,
    findBranchModel,
    runtimes,
    report,
  })
  const catalogs = createCatalogAnswers()
  const cancels = createCancelEverywhere({ store, effects, queryService, report })
  const checkAuths = createCheckAuths({ effects })
  const data = createDataApi({
    checkAuths,
    catalogs,
    rollupKeeper: rollups,
    rollups: createRollupAnswers({
      keeper: rollups,
      sourceOf: needs.rollups.files.source,
      now: () => effects.now().getTime(),
    }),
    rollupSource: needs.rollups.files.source,
    version: needs.releases.current,
    store,
    effects,
    queryService,
    cancels,
    runtimes,
    findBranchModel,
    continueWaitMs: needs.continueWaitMs,
    dataRateLimit: needs.dataRateLimit,
    report,
  })
  const wakeBuilds = () => builds.notify()
  const createDeployment = createCreateDeployment({
    store,
    effects,
    audit,
    saveVariables: vault.save,
    createProject: async (executor, caller, deploymentId, files) => {
      const { accountId } = caller
      const author = authorOf(caller)
      const branch = await createProject(objects, executor, {
        accountId,
        deploymentId,
        files,
        author,
        at: effects.now(),
      })
      return branch.id
    },
    wakeBuilds,
    makeDataFolder: deploymentId => needs.dataFolders.make(deploymentId),
  })
  const common = { store, effects, audit, objects, findDeployment, readModel, agentFiles, wakeBuilds, baseUrl }
  const forgetDeployment = (deploymentId: number) => data.forget(deploymentId)
  const environments = createEnvironmentOperations({
    ...common,
    readVariables: vault.read,
    sqlEndpoint: needs.sqlEndpoint,
  })
  const secrets = createEmbedSecrets({ effects, secretKey })
  const authenticateEmbed = createAuthenticateEmbed({ store, effects, secrets })
  const authenticateLogin = createAuthenticateLogin({ store, effects })
  const authenticateAt = (at: 'platform' | 'assistants') =>
    createAuthenticate({ store, effects, authenticateEmbed, authenticateLogin: token => authenticateLogin(token, at) })
  const authenticate = authenticateAt('platform')
  const signIn = createSignIn(needs)
  const syncs = createSyncRunner({
    ...common,
    readVariables: vault.read,
    dbt: needs.dbt,
    onChanged: changes.changed,
    report,
  })
  const housekeeping = createEmbedHousekeeping({ store, effects, report })
  const chatTools = createChatTools({ data: data.operations, effects, report })
  const chooseAgent = createChooseAgent({
    builtIn: createBuiltInAnalyst(),
    languageModels: needs.languageModels,
    readVariables: home => vault.read(store.kysely, home.accountId, home.deploymentId),
    now: effects.now,
    report,
  })
  const evals = createEvals({ ...common, runtimes, findBranchAgents, chooseAgent, tools: chatTools, report })
  const chat = createChatService({
    ...needs,
    audit,
    authenticate,
    findBearer: data.findBearer,
    findDeployment,
    runtimes,
    tools: { ...chatTools, memories: createFindMemories({ store, effects }) },
    findAgent: createFindAddressed(
      rememberAgents({ find: createFindAgent({ store, findBranchAgents }), changes, directoryOf }),
    ),
    chooseAgent,
    node: needs.rollups.node,
    turnMs: needs.chatTurnMs,
  })
  const mcp = createMcp({
    ...common,
    authenticate: authenticateAt('assistants'),
    runtimes,
    chat,
    tools: chatTools,
    sql: data.operations.statements,
    report,
  })
  const content = createContentOperations({ ...common, report })
  const finish = (operations: Operations) => guardEmbeds(tellChanges(changes, operations))

  return {
    authenticate,
    chat,
    mcp,
    suspendChats: chat.suspend,
    signIn,
    data,
    embedFraming: createEmbedFraming(store),
    openPrivateSession: createOpenPrivateSession({ ...common, access: createContentAccess(common) }),
    sql: createSqlAccess({
      store,
      catalogs,
      data,
      readVariables: vault.read,
      authenticateKey: authenticate,
      mintToken: async (caller, deploymentId) => {
        const input = { params: { deploymentId }, query: {}, body: {}, files: undefined }
        const context = { requestId: 'sql', address: null, signal: AbortSignal.timeout(60_000) }
        return (await environments.deploymentToken(caller, input, context)).cubeApiToken
      },
    }),
    git: createGitAccess(createCloneSource({ store, objects, findDeployment })),
    operations: finish({
      ...createUserOperations({ store }),
      ...createUserAdministration({ store, effects, audit }),
      ...createSignInLinkOperations({ store, effects, audit, baseUrl }),
      ...createAttributeOperations({ store, effects, audit }),
      ...createGroupOperations({ store, effects, audit }),
      ...createRoleOperations({ store, effects, audit }),
      ...createSettingsOperations({ store, effects, audit }),
      ...createApiKeyOperations({ store, effects, audit, requireDeployments }),
      ...createSessionOperations({ ...needs, ...common, secrets }),
      ...createEmbedTenantOperations({ store, effects, audit }),
      ...createDeploymentOperations({
        ...common,
        createDeployment,
        findSharedBranch,
        releases,
        forgetDeployment: async deploymentId => {
          await forgetDeployment(deploymentId)
          await needs.dataFolders.remove(deploymentId)
          await rollups.drop(deploymentId)
        },
      }),
      ...createVariableOperations({
        store,
        audit,
        findDeployment,
        vault,
        faultOfSources: createFaultOfSources(dataDirectory),
        forgetDeployment,
      }),
      ...environments,
      ...createBranchOperations(common),
      ...createFileOperations(common),
      ...createUploadOperations(common),
      ...createLogOperations({
        ...common,
        requestLog: data.requestLog,
        readVariables: vault.read,
        node: needs.rollups.node,
      }),
      ...createPlanOperations({ ...common, planNames }),
      ...createBuildOperations(common),
      ...createSyncOperations({ ...common, readVariables: vault.read, wakeSyncs: syncs.notify }),
      ...chat.operations,
      ...createAgentOperations({ ...common, findBranchAgents }),
      ...evals.operations,
      ...content,
    }),
    ensureFirstAccount: options => ensureFirstAccount({ store, effects }, options),
    ensureDemo: (caller, context, project, provideData) => {
      const defaults = deploymentDefaults({ name: project.name, creationStep: 'demo' }, releases)
      return ensureDemo({ store, createDeployment, defaults, provideData }, caller, context, project)
    },
    ensureDemoWorkbook: (...demo) => ensureDemoWorkbook({ store, operations: content }, ...demo),
    noteRefusal: refusals.note,
    async start() {
      listener = listen(store.pool, {
        channel: 'hedron_branch_changes',
        onMessage: payload => changes.changed(Number(payload)),
        onBegin: changes.begin,
        onEnd: changes.end,
      })
      cancels.start()
      await rollups.start()
      schedule.start()
      housekeeping.start()
      signIn.start()
      syncs.start()
      await chat.start()
      evals.start()
      await builds.resume()
    },
    async isReady() {
      try {
        await store.pool.query('select 1')
        return true
      } catch {
        return false
      }
    },
    async close() {
      await chat.close()
      await refusals.close()
      await evals.close()
      await schedule.close()
      await housekeeping.close()
      await signIn.close()
      await syncs.close()
      await rollups.close()
      await builds.close()
      await checkAuths.close()
      await compiler.close()
      await catalogs.close()
      await listener?.close()
      await cancels.close()
    },
  }

  async function requireDeployments(accountId: number, ids: readonly number[]): Promise<void> {
    for (const id of ids) {
      const row = await deployments.findDeployment(store.kysely, accountId, id)
      if (!row) throw new CodedError('deployment_not_found', { deployment: id })
    }
  }
}
