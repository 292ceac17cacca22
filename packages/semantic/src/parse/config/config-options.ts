const queries = 'Limits and caching are set for the whole server; docs/operations.md lists them.'
const access = "Say who sees what in 'access_policy' of cubes and views."
const sources = 'Data sources are set in the deployment, and named in `data_source` of cubes.'
const signIn = 'Who may ask is set in the deployment: API keys, tokens and embedding.'
const one = 'A model is compiled once, for everybody.'

/** Options of the field's configuration file by their name in camelCase, and what to do here instead. */
const instead: Readonly<Record<string, string>> = {
  schemaPath: 'The model is always below `model/`.',
  contextToAppId: `${one} ${access}`,
  repositoryFactory: 'The model is what the branch holds. Commit it.',
  schemaVersion: 'A model is compiled when its branch changes.',
  compilerCacheSize: one,
  maxCompilerCacheKeepAlive: one,
  updateCompilerCacheKeepAlive: one,
  allowJsDuplicatePropsInSchema: 'Remove the properties that are given twice.',
  cacheAndQueueDriver: queries,
  contextToOrchestratorId: access,
  contextToCubeStoreRouterId: queries,
  driverFactory: sources,
  dbType: sources,
  orchestratorOptions: queries,
  preAggregationsSchema: queries,
  scheduledRefreshTimer: queries,
  scheduledRefreshTimeZones: queries,
  scheduledRefreshContexts: queries,
  queryRewrite: access,
  allowUngroupedWithoutPrimaryKey:
    'Set `CUBEJS_ALLOW_UNGROUPED_WITHOUT_PRIMARY_KEY` in the variables of the deployment.',
  basePath: 'Paths of the API do not change.',
  http: queries,
  webSocketsBasePath: 'Paths of the API do not change.',
  processSubscriptionsInterval: queries,
  contextToApiScopes: signIn,
  extendContext: `What \`checkAuth\` gives as the security context is all of it. ${signIn}`,
  checkAuth: 'Python is not run here: write `checkAuth` in a `cube.js`.',
  jwt: signIn,
  checkSqlAuth: signIn,
  canSwitchSqlUser: signIn,
  contextToGroups: `Groups come from the one who asks. ${signIn}`,
  contextToRoles: `Groups come from the one who asks. ${signIn}`,
  logger: 'Logs are written by the server.',
  telemetry: 'Nothing is sent anywhere.',
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What to do in place of an option; for one that nobody knows, to remove it. */
export const insteadOfOption = (name: string): string => {
  const key = camelCase(name)
  return (Object.hasOwn(instead, key) ? instead[key] : undefined) ?? 'Remove it.'
}
