import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { CodedError } from '@hedron/contract'
import type { GitAccess } from '@hedron/platform'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../http/bind-route.ts'
import { sendError } from '../http/error-reply.ts'

interface GitNeeds {
  readonly git: GitAccess
  readonly authenticate: Authenticate
}

/** A fetch names commits, not content; far more than any project has branches and commits to name. */
const largestRequest = 4 * 1024 * 1024

/**
 * `git clone {base}/git/{deploymentId}`: a deployment's branches, read only. git asks for a user name and password; the password
 * is an API key and the name is not looked at.
 */
export function addGitRoutes(server: FastifyInstance, { git, authenticate }: GitNeeds): void {
  server.addContentTypeParser(
    'application/x-git-upload-pack-request',
    { parseAs: 'buffer', bodyLimit: largestRequest },
    async (request: FastifyRequest, body: Buffer) => unpack(request, body),
  )
  const options = {
    onRequest: async (request: FastifyRequest) => {
      request.caller = await authenticate(fromBasic(request.headers.authorization))
    },
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      if (error instanceof CodedError && error.status === 401) reply.header('www-authenticate', 'Basic realm="hedron"')
      return sendError(error, request, reply)
    },
  }

  server.get('/git/:deploymentId/info/refs', options, async (request, reply) => {
    const { service } = request.query as { service?: string }
    if (service !== 'git-upload-pack') {
      throw new CodedError('permission_missing', {
        permission: 'to push, which nobody has: write through dev mode or hedron deploy',
      })
    }
    const body = await git.advertise(callerOf(request), idOf(request))
    return reply
      .type('application/x-git-upload-pack-advertisement')
      .header('cache-control', 'no-store')
      .send(Buffer.from(body))
  })

  server.post('/git/:deploymentId/git-upload-pack', options, async (request, reply) => {
    if (!Buffer.isBuffer(request.body)) {
      throw new CodedError('unsupported_media_type', {
        received: request.headers['content-type'] ?? '',
        expected: 'application/x-git-upload-pack-request',
      })
    }
    const chunks = await git.uploadPack(callerOf(request), idOf(request), request.body)
    return reply
      .type('application/x-git-upload-pack-result')
      .header('cache-control', 'no-store')
      .send(Readable.from(chunks))
  })
}

function unpack(request: FastifyRequest, body: Buffer): Buffer {
  if (request.headers['content-encoding'] !== 'gzip') return body
  try {
    return gunzipSync(body, { maxOutputLength: largestRequest })
  } catch {
    throw new CodedError('invalid_request', { problems: 'body: is not gzip, or is too large when unpacked' })
  }
}

function fromBasic(header: string | undefined): string | undefined {
  const [, encoded] = /^Basic\s+(\S+)$/i.exec(header ?? '') ?? []
  if (encoded === undefined) return header
  const text = Buffer.from(encoded, 'base64').toString()
  return `Bearer ${text.slice(text.indexOf(':') + 1)}`
}

function callerOf(request: FastifyRequest) {
  if (request.caller === null) throw new Error('git was reached without a caller')
  return request.caller
}

function idOf(request: FastifyRequest): number {
  const { deploymentId } = request.params as { deploymentId: string }
  // git users write the address with and without the usual ending.
  const id = deploymentId.replace(/\.git$/, '')
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new CodedError('deployment_not_found', { deployment: deploymentId })
  return Number(id)
}
