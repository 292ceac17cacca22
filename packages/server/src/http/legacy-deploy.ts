import { CodedError, type Route, routes } from '@hedron/contract'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { type Authenticate, bindRoute, type Handler } from './bind-route.ts'

/**
 * The deploy protocol of the npm package `@cubejs-backend/cloud` 1.7 and the `deploy` command of the older clients, at
 * `/build/deploy/{deploymentId}/…`: the same operations as those of the contract under other addresses. Their credential comes
 * without a scheme.
 */
export function bindLegacyDeploy(
  server: FastifyInstance,
  authenticate: Authenticate,
  handlerOf: (route: Route) => Handler,
): void {
  const bind = (route: Route, path: Route['path'], handler = handlerOf(route)) =>
    bindRoute(server, { ...route, path }, header => authenticate(withScheme(header)), handler)

  bind(routes.fileHashes, '/build/deploy/{deploymentId}/files')
  bind(routes.startUpload, '/build/deploy/{deploymentId}/start-upload')
  bind(routes.uploadFile, '/build/deploy/{deploymentId}/upload-file')
  bind(routes.finishUpload, '/build/deploy/{deploymentId}/finish-upload')

  const setVariables = handlerOf(routes.setEnvVariables)
  bind(
    { ...routes.setEnvVariables, method: 'post', query: LegacyVariablesQuery, body: LegacyVariables },
    '/build/deploy/{deploymentId}/set-env',
    async (caller, { params, query, body, files }, context) => {
      if (LegacyVariablesQuery.parse(query).replaceEnv) {
        throw new CodedError('invalid_request', {
          problems: 'replaceEnv: variables can be set here and not replaced as a whole; send replaceEnv=false',
        })
      }
      const variables = Object.entries(readVariables(LegacyVariables.parse(body).envVariables))
      const next = { env_variables: variables.map(([name, value]) => ({ name, value })) }
      return setVariables(caller, { params, query: {}, body: routes.setEnvVariables.body.parse(next), files }, context)
    },
  )
}

const LegacyVariablesQuery = z.strictObject({ replaceEnv: z.boolean().optional() })
const LegacyVariables = z.strictObject({ envVariables: z.string() })

/** A token alone is an API key where it begins as one, else what a bearer shows. */
function withScheme(header: string | undefined): string | undefined {
  const token = header?.trim() ?? ''
  if (token === '' || token.includes(' ')) return header
  return token.startsWith('sk-') ? `Api-Key ${token}` : `Bearer ${token}`
}

/** @throws {CodedError} `invalid_request` */
function readVariables(text: string): Record<string, string> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text))
  } catch {
    throw new CodedError('invalid_request', {
      problems: 'envVariables: must be an object of names to texts, as JSON in a string',
    })
  }
}
