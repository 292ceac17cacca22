import { command } from '../../framework/command.ts'
import { usage } from '../../framework/failure.ts'
import { choice, flag, integer, optional, repeated, required, text } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { readData } from '../shared/data-option.ts'
import { environmentArgument } from './environment-argument.ts'

const scopes = ['meta', 'data', 'sql', 'graphql', 'sql-runner'] as const
/** Seconds. */
const longestLife = 3600

export const createEnvironmentToken = command({
  details: 'Prints a token for the data API of one environment that carries the security context as given.',
  examples: [`hedron environments create-token 1 3 --security-context '{"tenant":"acme"}' --expires-in 600`],
  arguments: { deployment: deploymentArgument, environment: environmentArgument },
  options: {
    securityContext: required(text('json'), 'security context as a JSON object, @file or -'),
    expiresIn: optional(integer('seconds', 1), `seconds that it is valid, up to ${longestLife}`),
    scope: repeated(choice('scope', scopes), `limit it to ${scopes.join(', ')}`),
    metaSync: flag('a token for syncing metadata alone'),
  },
  check({ expiresIn }) {
    if (expiresIn !== undefined && expiresIn > longestLife) {
      throw usage(`--expires-in: '${expiresIn}' is more than ${longestLife} seconds`)
    }
  },
  async run({ deployment, environment, securityContext, expiresIn, scope, metaSync }, { effects, output, session }) {
    const { client } = await session()
    const request = {
      params: { deploymentId: deployment, environmentId: environment },
      body: {
        security_context: { ...(await readData(securityContext, effects, '--security-context')) },
        ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
        ...(scope.length === 0 ? {} : { scopes: [...scope] }),
      },
    }
    const answer = metaSync
      ? await client.createDeploymentEnvironmentTokenForMetaSync(request)
      : await client.createDeploymentEnvironmentToken(request)
    output.result(answer, () => output.line(answer.data.token))
  },
})
