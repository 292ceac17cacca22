import type { Permission, Policy } from '@hedron/contract'

/** A role that every account has. Ids below 1001 are theirs. */
export interface BuiltInRole {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly policies: readonly Policy[]
}

/** What one who only looks may do on a deployment, and what one who also explores may. */
const looking: readonly Permission[] = ['DeploymentRead', 'DeploymentAgentRead']
const exploring: readonly Permission[] = [...looking, 'DownloadData', 'ChatHistoryRead', 'PlaygroundRead']
const modelling: readonly Permission[] = [
  ...exploring,
  'SchemaRead',
  'SchemaUpdate',
  'SchemaUpdateDevBranches',
  'APMRead',
  'PreAggregationBuild',
  'SqlRunnerRead',
  'DataAssetsRead',
]

const policies = (tier: readonly Permission[], onDeployments: readonly Permission[]): Policy[] => [
  { resourceType: 'Global', actions: [...tier], resources: ['All'] },
  { resourceType: 'Deployment', actions: [...onDeployments], resources: ['All'] },
]

/** By the names of contract/platform-api.yaml, RoleCreateBody. What an administrator may do hangs on the user, not on policies. */
const roles: readonly BuiltInRole[] = [
  { id: 1, name: 'Admin', description: 'Everything in the account.', policies: [] },
  {
    id: 2,
    name: 'Developer',
    description: 'Makes and changes deployments, their models and content.',
    policies: policies(
      ['AIBIDevelop', 'AIBIDeveloper', 'DeploymentCreate'],
      [...modelling, 'DeploymentUpdate', 'DataAssetsManage', 'SecretsManage'],
    ),
  },
  {
    id: 3,
    name: 'AIBIDeveloper',
    description: 'Changes models and content.',
    policies: policies(['AIBIDevelop', 'AIBIDeveloper'], modelling),
  },
  {
    id: 4,
    name: 'D3User',
    description: 'Asks and makes content; the older name of AIBIUser.',
    policies: policies(['AIBIExplore', 'AIBIUser'], exploring),
  },
  {
    id: 5,
    name: 'AIBIUser',
    description: 'Asks and makes content.',
    policies: policies(['AIBIExplore', 'AIBIUser'], exploring),
  },
  {
    id: 6,
    name: 'AIBIViewer',
    description: 'Looks at what is shared.',
    policies: policies(['AIBIView', 'AIBIViewer'], looking),
  },
  { id: 7, name: 'Guest', description: 'Nothing beside signing in.', policies: [] },
  {
    id: 8,
    name: 'EmbedUser',
    description: 'Looks at embedded dashboards.',
    policies: [
      { resourceType: 'Deployment', actions: ['EmbedDeploymentRead', 'EmbedDashboardRead'], resources: ['All'] },
    ],
  },
]

/** Never held by assignment: being an administrator is a property of the user. */
export const adminRole = 'Admin'

const byId = new Map(roles.map(role => [role.id, role]))
const byName = new Map(roles.map(role => [role.name, role]))
const reserved = new Set(roles.map(({ name }) => name.toLowerCase()))

export const builtInRole = (id: number): BuiltInRole | undefined => byId.get(id)
export const builtInRoleNamed = (name: string): BuiltInRole | undefined => byName.get(name)
export const isReservedRoleName = (name: string): boolean => reserved.has(name.toLowerCase())
