import { CodedError, type UploadedFile } from '@hedron/contract'
import type { FastifyRequest } from 'fastify'

/** Limits of one multipart request. */
export const multipartLimits = {
  totalBytes: 64 * 1024 * 1024,
  fileBytes: 10 * 1024 * 1024,
  files: 1000,
  fields: 16,
  fieldBytes: 64 * 1024,
} as const

/**
 * Reads a multipart request whole: text fields by name, and the parts named `file`.
 *
 * @throws {CodedError} `unsupported_media_type`, `file_invalid` for a file that is too large, `body_too_large` for all of them together,
 * `invalid_request`.
 */
export async function readMultipart(
  request: FastifyRequest,
): Promise<{ fields: Record<string, string>; files: readonly UploadedFile[] }> {
  if (!request.isMultipart()) {
    const received = request.headers['content-type'] ?? ''
    throw new CodedError('unsupported_media_type', { received, expected: 'multipart/form-data' })
  }
  try {
    return await readParts(request)
  } catch (error) {
    // The rest is passed over: left unread, it would block the connection, and with it the client's next request.
    request.raw.unpipe()
    request.raw.resume()
    // What the parser throws has neither code nor status, and is always about the form that was sent.
    if (!(error instanceof Error) || error instanceof CodedError || 'statusCode' in error) throw error
    throw new CodedError('invalid_request', { problems: `body: is not a form that can be read: ${error.message}` })
  }
}

async function readParts(
  request: FastifyRequest,
): Promise<{ fields: Record<string, string>; files: readonly UploadedFile[] }> {
  const fields: Record<string, string> = {}
  const files: UploadedFile[] = []
  let total = 0
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (typeof part.value === 'string') fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== 'file') {
      throw new CodedError('invalid_request', {
        problems: `body: files are sent in parts named "file", not ${JSON.stringify(part.fieldname.slice(0, 100))}`,
      })
    }
    const chunks: Buffer[] = []
    for await (const chunk of part.file) {
      chunks.push(chunk)
      total += chunk.length
      if (total > multipartLimits.totalBytes) throw new CodedError('body_too_large', { limit: '64 MiB' })
    }
    if (part.file.truncated) {
      throw new CodedError('file_invalid', { path: part.filename ?? '', reason: 'it is larger than 10 MiB' })
    }
    files.push({ name: part.filename, content: Buffer.concat(chunks) })
  }
  return { fields, files }
}
