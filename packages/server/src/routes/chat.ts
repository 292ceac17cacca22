import { Readable } from 'node:stream'
import { AbortChatRequest, ChatRequest, CodedError, explainIssues } from '@hedron/contract'
import { type ChatAddress, type ChatApi, type ChatCredential, DataError } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { sendError } from '../http/error-reply.ts'
import { parseJsonBytes } from '../http/json-bytes.ts'
import { refuseUnstorableText } from '../http/refuse-text.ts'
import { untilStalled } from '../http/until-stalled.ts'
import type { ChatMeter } from '../metrics/chat-metrics.ts'

interface ChatNeeds {
  readonly chat: ChatApi
  readonly chats: ChatMeter
  /** How long lines may lie unread, in milliseconds. */
  readonly stallMs: number
}

declare module 'fastify' {
  interface FastifyRequest {
    chatCredential: ChatCredential | null
    /** When it came, by `performance.now()`. */
    chatBegun: number
  }
}

/** A question with images. */
const largestBody = 32 * 1024 * 1024
/** JSON-RPC's first code for errors of a server's own (JSON-RPC 2.0 section 5.1). */
const authenticationFailed = -32_001

/**
 * The chat API (SPEC, endpoints 4 and 5): `/api/v1/public/{accountName}/agents/{agentId}/chat/…` and the same below
 * `deployments/{deploymentId}`. It is not part of the platform API: it takes other credentials, and refuses them in a form of its own.
 */
export async function addChatRoutes(parent: FastifyInstance, need: ChatNeeds): Promise<void> {
  await parent.register(async server => bindChatRoutes(server, need))
}

function bindChatRoutes(server: FastifyInstance, { chat, chats, stallMs }: ChatNeeds): void {
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
    parseJsonBytes(body),
  )
  server.decorateRequest('chatCredential', null)
  server.decorateRequest('chatBegun', 0)
  const options = {
    bodyLimit: largestBody,
    errorHandler: sendChatError,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      request.chatBegun = performance.now()
      reply.header('cache-control', 'no-store')
      request.chatCredential = await authenticate(request)
    },
  }

  for (const prefix of [
    '/api/v1/public/:accountName/agents/:agentId',
    '/api/v1/public/:accountName/deployments/:deploymentId',
  ]) {
    server.post(`${prefix}/chat/stream-chat-state`, options, async (request, reply) => {
      const body = readBody(ChatRequest, request)
      const lines = await chat.stream(credentialOf(request), addressOf(request), body, contextOf(request))
      const cut = () => reply.raw.destroy()
      return reply
        .type('application/json; charset=utf-8')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(untilStalled(chats.stream(lines, request.chatBegun), stallMs, cut), { objectMode: false }))
    })
    server.post(`${prefix}/chat/abort`, options, async (request, reply) => {
      const body = readBody(AbortChatRequest, request)
      await chat.abort(credentialOf(request), addressOf(request), body, contextOf(request))
      return reply.code(204).send()
    })
  }

  async function authenticate(request: FastifyRequest): Promise<ChatCredential> {
    const address = addressOf(request)
    try {
      return await chat.authenticate(address, {
        authorization: request.headers.authorization,
        serviceToken: headerOf(request, 'x-service-auth-token') ?? headerOf(request, 'x-cube-auth-token'),
      })
    } catch (error) {
      if (error instanceof CodedError && error.code === 'not_authenticated') {
        await chat.auditRefusal(address, error, contextOf(request))
      }
      throw error
    }
  }
}

/** Who is not let in is told so in JSON-RPC's form, with the status 200 (SPEC, "Errors"); all else as in the platform API. */
function sendChatError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof CodedError && error.code === 'not_authenticated') {
    const answer = { jsonrpc: '2.0', error: { code: authenticationFailed, message: error.message }, id: null }
    return reply.code(200).send(answer)
  }
  if (error instanceof DataError) return reply.code(error.status === 200 ? 503 : error.status).send(error.body)
  return sendError(error, request, reply)
}

function readBody<T>(schema: z.ZodType<T>, { body }: FastifyRequest): T {
  if (body === undefined || body === null) {
    throw new CodedError('invalid_request', { problems: 'body: is required; send one JSON object' })
  }
  refuseUnstorableText(body, 'body')
  const { success, data, error } = schema.safeParse(body)
  if (!success) throw new CodedError('invalid_request', { problems: explainIssues(error.issues, 'body') })
  return data
}

function addressOf({ params }: FastifyRequest): ChatAddress {
  const { accountName, agentId, deploymentId } = params as {
    accountName: string
    agentId?: string
    deploymentId?: string
  }
  return agentId === undefined
    ? { accountName, form: 'deployment', id: deploymentId ?? '' }
    : { accountName, form: 'agent', id: agentId }
}

function credentialOf({ chatCredential }: FastifyRequest): ChatCredential {
  if (chatCredential === null) throw new Error('the chat was reached without a credential')
  return chatCredential
}

const contextOf = (request: FastifyRequest) => ({ requestId: request.id, address: request.ip })

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
