import { CodedError } from '@hedron/contract'
import { assistantScope, type Mcp, McpError } from '@hedron/platform'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { toCodedError } from '../http/error-reply.ts'
import { refuseUnstorableText } from '../http/refuse-text.ts'
import { abortSignalOf } from '../http/request-signal.ts'
import { resourceMetadataUrl } from '../sign-in/discovery-routes.ts'

interface McpNeeds {
  readonly mcp: Mcp
  readonly version: string
  readonly baseUrl: () => string
}

const largestBody = 1024 * 1024
/** Messages of one request (a batch of older versions of the protocol). */
const mostMessages = 20

/** JSON-RPC 2.0, section 5.1: codes of a server's own, and of a message that is none. */
const codes = { refused: -32_001, notAllowed: -32_000, invalid: -32_600, internal: -32_603 } as const

/**
 * The Model Context Protocol over streamable HTTP (contract/behaviour/chat.md section 8): `POST /mcp` with an API key or the token of a
 * login. Nothing is kept
 * between requests, so any node answers any of them: there are no sessions to open, listen to or delete.
 */
export async function addMcpRoutes(parent: FastifyInstance, need: McpNeeds): Promise<void> {
  await parent.register(async server => bindMcp(server, need))
}

function bindMcp(server: FastifyInstance, { mcp, version, baseUrl }: McpNeeds): void {
  const tools = mcp.tools.map(describeTool)
  const options = { bodyLimit: largestBody, errorHandler: sendMcpError(baseUrl) }

  server.post('/mcp', options, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const session = await mcp.open(request.headers.authorization, choiceOf(request))
    const body: unknown = request.body
    if (Array.isArray(body) && body.length > mostMessages) {
      throw new CodedError('invalid_request', { problems: `body: holds more than ${mostMessages} messages` })
    }
    refuseUnstorableText(body, 'body')
    const signal = abortSignalOf(request, reply)
    // Loaded by the first message, since few servers ever get one.
    const { answerMessages } = await import('./mcp-protocol.ts')
    const context = { signal, requestId: request.id, address: request.ip }
    const { response, close } = await answerMessages({ mcp, version, tools }, session, request.headers, body, context)
    reply.raw.once('close', close)
    return reply.send(response)
  })

  server.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    ...options,
    handler: async (_request, reply) => {
      const message = 'There are no streams and sessions to open or delete here. Send each message by POST.'
      return reply.code(405).header('allow', 'POST').send(rpcError(codes.notAllowed, message))
    },
  })
}

function describeTool({ name, title, description, input }: Mcp['tools'][number]): Tool {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    title,
    description,
    inputSchema: { ...schema, type: 'object' as const } as Tool['inputSchema'],
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  }
}

/** What the address and headers of a connection choose. */
function choiceOf({ query, headers }: FastifyRequest) {
  const { branchName, deploymentId } = query as { branchName?: unknown; deploymentId?: unknown }
  return {
    deploymentId: textOf(deploymentId),
    branchName: textOf(branchName) ?? textOf(headers['x-mcp-branch-name']) ?? textOf(headers['mcp-branch-name']),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Errors before the protocol has its say, in the form of its messages. */
const sendMcpError =
  (baseUrl: () => string) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof McpError) return reply.code(400).send(rpcError(codes.refused, error.message))
    const coded = toCodedError(error, request.id, largestBody)
    if (coded.code === 'internal_error') request.log.error({ err: error, reqId: request.id }, 'a request failed')
    if (coded.status === 401) reply.header('www-authenticate', challenge(baseUrl(), request))
    if (coded.code === 'body_too_large') reply.removeHeader('connection')
    const code = coded.status === 401 ? codes.refused : coded.status < 500 ? codes.invalid : codes.internal
    return reply.code(coded.status).send(rpcError(code, coded.message))
  }

/** RFC 9728 section 5.1, RFC 6750 section 3: where to ask for a token; and what was wrong, for who showed one. */
function challenge(baseUrl: string, { headers }: FastifyRequest): string {
  const error = headers.authorization === undefined ? '' : ', error="invalid_token"'
  return `Bearer realm="hedron", scope="${assistantScope}", resource_metadata="${resourceMetadataUrl(baseUrl)}"${error}`
}

const rpcError = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message }, id: null })
