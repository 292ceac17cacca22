import { assistantResource, assistantScope } from '@hedron/platform'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Where a client that was refused at `/mcp` learns whom to ask for a token (RFC 9728 section 3.1). */
export const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}/.well-known/oauth-protected-resource/mcp`

/**
 * What assistants read before they log in: of whom `/mcp` takes tokens (RFC 9728), and how those are had (RFC 8414). Anybody may read
 * it, from a page of any origin too.
 */
export function addDiscoveryRoutes(server: FastifyInstance, baseUrl: () => string): void {
  const resource = () => ({
    resource: assistantResource(baseUrl()),
    authorization_servers: [baseUrl()],
    scopes_supported: [assistantScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Hedron',
  })
  const authorizationServer = () => {
    const issuer = baseUrl()
    return {
      issuer,
      authorization_endpoint: `${issuer}/auth/oauth2/authorize`,
      token_endpoint: `${issuer}/auth/oauth2/token`,
      registration_endpoint: `${issuer}/auth/oauth2/register`,
      revocation_endpoint: `${issuer}/auth/oauth2/revoke`,
      device_authorization_endpoint: `${issuer}/auth/device/code`,
      scopes_supported: [assistantScope],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
  }
  const send = (reply: FastifyReply, document: object) =>
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-store').send(document)

  // Clients ask with the path of what they want behind it, and without.
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    server.get(path, async (_request, reply) => send(reply, resource()))
  }
  server.get('/.well-known/oauth-authorization-server', async (_request, reply) => send(reply, authorizationServer()))
}
