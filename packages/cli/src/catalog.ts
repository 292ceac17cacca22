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
    ],
  },
  {
    name: 'spec',
    summary: "List the server's operations",
    load: async () => (await import('./commands/spec.ts')).spec,
  },
  { name: 'api', summary: 'Send any request', load: async () => (await import('./commands/api.ts')).api },
]
