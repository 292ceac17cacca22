import { accountCommands } from './catalog/account.ts'
import { agentCommands } from './catalog/agents.ts'
import { contentCommands } from './catalog/content.ts'
import type { Catalog } from './framework/command.ts'

/**
 * Every command, in the order of the help. This file alone knows their names; a command's own file is loaded when it is chosen.
 */
export const catalog: Catalog = [
  { name: 'login', summary: 'Log in to a server', load: async () => (await import('./commands/login.ts')).login },
  { name: 'logout', summary: 'Forget a saved login', load: async () => (await import('./commands/logout.ts')).logout },
  { name: 'whoami', summary: 'Show who you are', load: async () => (await import('./commands/whoami.ts')).whoami },
  {
    name: 'context',
    summary: 'Saved logins',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List saved logins',
        load: async () => (await import('./commands/context/list.ts')).listContexts,
      },
      {
        name: 'use',
        summary: 'Choose the login to use',
        load: async () => (await import('./commands/context/use.ts')).useContext,
      },
    ],
  },
  {
    name: 'deployments',
    aliases: ['deployment'],
    summary: 'Deployments, their settings and builds',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List deployments',
        load: async () => (await import('./commands/deployments/list.ts')).listDeployments,
      },
      {
        name: 'get',
        summary: 'Show one deployment',
        load: async () => (await import('./commands/deployments/get.ts')).getDeployment,
      },
      {
        name: 'create',
        summary: 'Create a deployment',
        load: async () => (await import('./commands/deployments/create.ts')).createDeployment,
      },
      {
        name: 'update',
        summary: 'Change settings of a deployment',
        load: async () => (await import('./commands/deployments/update.ts')).updateDeployment,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete a deployment',
        load: async () => (await import('./commands/deployments/delete.ts')).deleteDeployment,
      },
      {
        name: 'settings',
        summary: 'Show all settings',
        load: async () => (await import('./commands/deployments/settings.ts')).deploymentSettings,
      },
      {
        name: 'versions',
        summary: 'List versions to switch to',
        load: async () => (await import('./commands/deployments/versions.ts')).deploymentVersions,
      },
      {
        name: 'token',
        summary: 'Print a token for the data API',
        load: async () => (await import('./commands/deployments/token.ts')).deploymentToken,
      },
      {
        name: 'build-status',
        summary: 'Show or await the newest build of a branch',
        load: async () => (await import('./commands/deployments/build-status.ts')).buildStatus,
      },
      {
        name: 'advance-step',
        summary: 'Move on to a step of the set-up',
        load: async () => (await import('./commands/deployments/advance-step.ts')).advanceStep,
      },
      {
        name: 'reset-step',
        summary: 'Go back to the first step of the set-up',
        load: async () => (await import('./commands/deployments/reset-step.ts')).resetStep,
      },
    ],
  },
  {
    name: 'regions',
    aliases: ['region'],
    summary: 'List regions',
    load: async () => (await import('./commands/regions.ts')).regions,
  },
  {
    name: 'data-model',
    aliases: ['dm'],
    summary: 'Files and branches of the data model',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List files',
        load: async () => (await import('./commands/data-model/list.ts')).listFiles,
      },
      {
        name: 'get',
        summary: 'Print a file',
        load: async () => (await import('./commands/data-model/get.ts')).getFile,
      },
      {
        name: 'put',
        summary: 'Write a file',
        load: async () => (await import('./commands/data-model/put.ts')).putFile,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete files',
        load: async () => (await import('./commands/data-model/delete.ts')).deleteFiles,
      },
      {
        name: 'rename',
        summary: 'Rename a file',
        load: async () => (await import('./commands/data-model/rename.ts')).renameFile,
      },
      {
        name: 'file-hashes',
        summary: 'Print the hash of every file',
        load: async () => (await import('./commands/data-model/file-hashes.ts')).fileHashes,
      },
      {
        name: 'branches',
        summary: 'List branches',
        load: async () => (await import('./commands/data-model/branches.ts')).listBranches,
      },
      {
        name: 'create-branch',
        summary: 'Create a branch',
        load: async () => (await import('./commands/data-model/create-branch.ts')).createBranch,
      },
      {
        name: 'delete-branch',
        summary: 'Delete a branch',
        load: async () => (await import('./commands/data-model/delete-branch.ts')).deleteBranch,
      },
      {
        name: 'enable-branch',
        summary: 'Keep a staging environment active',
        load: async () => (await import('./commands/data-model/enable-branch.ts')).enableBranch,
      },
      {
        name: 'disable-branch',
        summary: 'Let a staging environment sleep',
        load: async () => (await import('./commands/data-model/disable-branch.ts')).disableBranch,
      },
      {
        name: 'dev-mode',
        summary: 'Open a personal dev branch',
        load: async () => (await import('./commands/data-model/dev-mode.ts')).devMode,
      },
      {
        name: 'exit-dev-mode',
        summary: 'Close the dev-mode session',
        load: async () => (await import('./commands/data-model/exit-dev-mode.ts')).exitDevMode,
      },
      {
        name: 'commit',
        summary: 'Push edits to the shared branch',
        load: async () => (await import('./commands/data-model/commit.ts')).commit,
      },
      {
        name: 'pull',
        summary: 'Bring in the parent branch',
        load: async () => (await import('./commands/data-model/pull.ts')).pull,
      },
      {
        name: 'merge',
        summary: 'Merge a branch into its parent',
        load: async () => (await import('./commands/data-model/merge.ts')).merge,
      },
      {
        name: 'merge-to-default',
        summary: 'Merge a branch into production',
        load: async () => (await import('./commands/data-model/merge-to-default.ts')).mergeToDefault,
      },
    ],
  },
  {
    name: 'deploy',
    summary: 'Upload a project and build it',
    load: async () => (await import('./commands/deploy.ts')).deploy,
  },
  {
    name: 'validate',
    summary: 'Compile a data model and list its errors',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'gate',
    summary: 'Compare the numbers of a change with production',
    load: async () => (await import('./commands/gate.ts')).gate,
  },
  {
    name: 'logs',
    summary: 'Show or follow builds and requests',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'query',
    summary: 'Ask a question of the data',
    load: async () => (await import('./commands/query.ts')).query,
  },
  {
    name: 'variables',
    aliases: ['vars', 'variable'],
    summary: 'Environment variables of a deployment',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List variables',
        load: async () => (await import('./commands/variables/list.ts')).listVariables,
      },
      {
        name: 'set',
        summary: 'Set variables',
        load: async () => (await import('./commands/variables/set.ts')).setVariables,
      },
    ],
  },
  {
    name: 'environments',
    aliases: ['environment', 'envs'],
    summary: 'Environments of a deployment and their tokens',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List environments',
        load: async () => (await import('./commands/environments/list.ts')).listEnvironments,
      },
      {
        name: 'tokens',
        summary: 'List tokens of an environment',
        load: async () => (await import('./commands/environments/tokens.ts')).listEnvironmentTokens,
      },
      {
        name: 'create-token',
        summary: 'Create a token for an environment',
        load: async () => (await import('./commands/environments/create-token.ts')).createEnvironmentToken,
      },
    ],
  },
  ...contentCommands,
  ...agentCommands,
  {
    name: 'dbt',
    summary: 'Cubes from a dbt project',
    commands: [
      {
        name: 'sync',
        summary: 'Make cubes of a dbt project on a new branch',
        load: async () => (await import('./commands/dbt/sync.ts')).syncDbt,
      },
      {
        name: 'generate',
        summary: 'Make cubes of a dbt manifest in your working copy',
        load: async () => (await import('./commands/dbt/generate.ts')).generateDbt,
      },
      {
        name: 'status',
        summary: 'Show how far a sync is',
        load: async () => (await import('./commands/dbt/status.ts')).dbtStatus,
      },
      {
        name: 'result',
        summary: 'Show what a sync has made',
        load: async () => (await import('./commands/dbt/result.ts')).dbtResult,
      },
      {
        name: 'logs',
        summary: 'Show the log of a sync',
        load: async () => (await import('./commands/dbt/logs.ts')).dbtLogs,
      },
      {
        name: 'history',
        aliases: ['list', 'ls'],
        summary: 'List syncs',
        load: async () => (await import('./commands/dbt/history.ts')).dbtHistory,
      },
      {
        name: 'cancel',
        summary: 'Stop a sync',
        load: async () => (await import('./commands/dbt/cancel.ts')).cancelDbt,
      },
    ],
  },
  {
    name: 'users',
    aliases: ['user'],
    summary: 'People of the account',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List users',
        load: async () => (await import('./commands/users/list.ts')).listUsers,
      },
      { name: 'me', summary: 'Show yourself', load: async () => (await import('./commands/users/me.ts')).me },
      {
        name: 'create',
        summary: 'Add a user',
        load: async () => (await import('./commands/users/change.ts')).createUser,
      },
      {
        name: 'update',
        summary: 'Change a user',
        load: async () => (await import('./commands/users/change.ts')).updateUser,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete a user',
        load: async () => (await import('./commands/users/change.ts')).deleteUser,
      },
      {
        name: 'sign-in-link',
        summary: 'Make a link by which a user chooses a password',
        load: async () => (await import('./commands/users/sign-in-link.ts')).signInLink,
      },
    ],
  },
  {
    name: 'api-keys',
    aliases: ['api-key'],
    summary: 'API keys of the account',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List API keys',
        load: async () => (await import('./commands/api-keys/list.ts')).listApiKeys,
      },
      {
        name: 'create',
        summary: 'Create an API key',
        load: async () => (await import('./commands/api-keys/create.ts')).createApiKey,
      },
      {
        name: 'get',
        summary: 'Show an API key',
        load: async () => (await import('./commands/api-keys/get.ts')).getApiKey,
      },
      {
        name: 'delete',
        aliases: ['rm', 'revoke'],
        summary: 'Revoke an API key',
        load: async () => (await import('./commands/api-keys/delete.ts')).deleteApiKey,
      },
    ],
  },
  ...accountCommands,
  {
    name: 'spec',
    summary: "List the server's operations",
    load: async () => (await import('./commands/spec.ts')).spec,
  },
  { name: 'api', summary: 'Send any request', load: async () => (await import('./commands/api.ts')).api },
  {
    name: 'update',
    summary: 'Install the newest release of this program',
    load: async () => (await import('./commands/update.ts')).update,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  { name: 'man', summary: 'Print pages of the manual', load: async () => (await import('./commands/man.ts')).man },
]
