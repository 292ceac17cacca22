import type { Catalog } from '../framework/command.ts'

/** Commands that deal with people, their rights and the account. */
export const accountCommands: Catalog = [
  {
    name: 'groups',
    aliases: ['group'],
    summary: 'Groups of users',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List groups',
        load: async () => (await import('../commands/groups.ts')).listGroups,
      },
      {
        name: 'create',
        summary: 'Make a group',
        load: async () => (await import('../commands/groups.ts')).createGroup,
      },
      {
        name: 'update',
        summary: 'Change a group',
        load: async () => (await import('../commands/groups.ts')).updateGroup,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete a group',
        load: async () => (await import('../commands/groups.ts')).deleteGroup,
      },
      {
        name: 'members',
        summary: 'Users of a group',
        commands: [
          {
            name: 'list',
            aliases: ['ls'],
            summary: 'List the users of a group',
            load: async () => (await import('../commands/groups.ts')).listMembers,
          },
          {
            name: 'add',
            summary: 'Add users to a group',
            load: async () => (await import('../commands/groups.ts')).addMembers,
          },
          {
            name: 'remove',
            aliases: ['rm'],
            summary: 'Remove users from a group',
            load: async () => (await import('../commands/groups.ts')).removeMembers,
          },
        ],
      },
    ],
  },
  {
    name: 'attributes',
    aliases: ['attribute'],
    summary: 'Attributes of users, for access policies',
    commands: [
      {
        name: 'list',
        aliases: ['ls'],
        summary: 'List attributes',
        load: async () => (await import('../commands/attributes.ts')).listAttributes,
      },
      {
        name: 'create',
        summary: 'Make an attribute',
        load: async () => (await import('../commands/attributes.ts')).createAttribute,
      },
      {
        name: 'update',
        summary: 'Change an attribute',
        load: async () => (await import('../commands/attributes.ts')).updateAttribute,
      },
      {
        name: 'delete',
        aliases: ['rm'],
        summary: 'Delete an attribute',
        load: async () => (await import('../commands/attributes.ts')).deleteAttribute,
      },
      {
        name: 'values',
        summary: 'Values that users have',
        commands: [
          {
            name: 'get',
            summary: 'Show the values of a user',
            load: async () => (await import('../commands/attributes.ts')).attributeValues,
          },
          {
            name: 'set',
            summary: 'Set a value of a user',
            load: async () => (await import('../commands/attributes.ts')).setAttributeValue,
          },
        ],
      },
    ],
  },
  {
    name: 'policies',
    aliases: ['policy'],
    summary: 'With whom content is shared',
    commands: [
      {
        name: 'get',
        summary: 'Show with whom an item is shared',
        load: async () => (await import('../commands/policies.ts')).getPolicies,
      },
      {
        name: 'set-user',
        summary: 'Share with a user',
        load: async () => (await import('../commands/policies.ts')).setUserPolicy,
      },
      {
        name: 'set-group',
        summary: 'Share with a group',
        load: async () => (await import('../commands/policies.ts')).setGroupPolicy,
      },
    ],
  },
  {
    name: 'tenant',
    summary: 'Settings of the account',
    commands: [
      {
        name: 'settings',
        summary: 'Show the settings',
        load: async () => (await import('../commands/account.ts')).tenantSettings,
      },
      {
        name: 'update',
        summary: 'Change settings',
        load: async () => (await import('../commands/account.ts')).updateTenant,
      },
    ],
  },
  {
    name: 'embed',
    summary: 'Sessions and dashboards in other sites',
    commands: [
      {
        name: 'generate-session',
        summary: 'Make a session for an end user',
        load: async () => (await import('../commands/embed.ts')).generateSession,
      },
      {
        name: 'token',
        summary: 'Exchange a session for a token',
        load: async () => (await import('../commands/embed.ts')).sessionToken,
      },
      {
        name: 'revoke',
        summary: 'End a session',
        load: async () => (await import('../commands/embed.ts')).revokeSession,
      },
      {
        name: 'dashboard',
        summary: 'Show a published dashboard',
        load: async () => (await import('../commands/embed.ts')).embedDashboard,
      },
      {
        name: 'enable-dashboard',
        summary: 'Allow embedding of a dashboard',
        load: async () => (await import('../commands/embed.ts')).enableDashboard,
      },
      {
        name: 'disable-dashboard',
        summary: 'Forbid embedding of a dashboard',
        load: async () => (await import('../commands/embed.ts')).disableDashboard,
      },
      {
        name: 'tenant',
        summary: 'Tenants of embedding',
        commands: [
          {
            name: 'list',
            aliases: ['ls'],
            summary: 'List embed tenants',
            load: async () => (await import('../commands/embed.ts')).listTenants,
          },
          {
            name: 'delete',
            aliases: ['rm'],
            summary: 'Delete an embed tenant',
            load: async () => (await import('../commands/embed.ts')).deleteTenant,
          },
          {
            name: 'groups',
            summary: 'List groups of an embed tenant',
            load: async () => (await import('../commands/embed.ts')).tenantGroups,
          },
          {
            name: 'users',
            summary: 'List users of an embed tenant',
            load: async () => (await import('../commands/embed.ts')).tenantUsers,
          },
          {
            name: 'delete-group',
            summary: 'Delete a group of an embed tenant',
            load: async () => (await import('../commands/embed.ts')).deleteTenantGroup,
          },
        ],
      },
    ],
  },
  {
    name: 'app',
    summary: 'The application',
    commands: [
      {
        name: 'config',
        summary: 'Show its configuration',
        load: async () => (await import('../commands/account.ts')).appConfig,
      },
    ],
  },
]
