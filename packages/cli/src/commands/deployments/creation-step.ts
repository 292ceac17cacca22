/** Steps of setting up a deployment, in the order in which the contract names them. */
export const creationSteps = ['project', 'upload', 'schema', 'github', 'ssh', 'databases', 'ready', 'demo'] as const
