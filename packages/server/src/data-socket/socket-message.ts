import { CodedError } from '@hedron/contract'
import * as z from 'zod'
import { parseJsonBody } from '../http/json-body.ts'

const MessageId = z.union([z.string().max(16), z.int()])
const Query = z.strictObject({
  query: z.unknown().optional(),
  queryType: z.string().optional(),
  cache: z.string().optional(),
})
const QueryOnly = z.strictObject({ query: z.unknown().optional() })
const Description = z.strictObject({ onlyViews: z.boolean().optional() }).optional()
const Nothing = z.strictObject({}).optional()

const method = <Name extends string, Params extends z.ZodType>(name: Name, params: Params) =>
  z.strictObject({
    messageId: MessageId,
    requestId: z.string().max(64).optional(),
    method: z.literal(name),
    params,
  })

const Authorization = z.strictObject({ authorization: z.string() })
const Unsubscribe = z.strictObject({ unsubscribe: MessageId })

const MethodMessage = z.discriminatedUnion('method', [
  method('load', Query),
  method('sql', QueryOnly),
  method('dry-run', QueryOnly),
  method('meta', Description),
  method('subscribe', Query),
  method('unsubscribe', Nothing),
])

/** A request over a web socket (contract/behaviour/query.md section 9). */
export type MethodMessage = z.infer<typeof MethodMessage>
export type SocketMessage = z.infer<typeof Authorization> | z.infer<typeof Unsubscribe> | MethodMessage

const methods: ReadonlySet<unknown> = new Set(MethodMessage.options.map(({ shape }) => shape.method.value))

/** A message that is no request: the answer to it. */
export class MessageProblem extends Error {
  readonly messageId: unknown
  readonly type: string

  constructor(type: string, error: string, messageId: unknown) {
    super(error)
    this.name = 'MessageProblem'
    this.type = type
    this.messageId = messageId
  }
}

/** @throws {MessageProblem} with the field's texts */
export function readSocketMessage(text: string): SocketMessage {
  const message = parse(text)
  if (message === undefined) throw new MessageProblem('Invalid JSON payload', 'The message is empty', undefined)
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new MessageProblem('Invalid message format', 'A message is a JSON object', undefined)
  }
  if ('authorization' in message) return check(Authorization, message, 'Invalid authorization message format')
  if ('unsubscribe' in message) return check(Unsubscribe, message, 'Invalid unsubscribe message format')
  const { messageId, method: name }: { messageId?: unknown; method?: unknown } = message
  // An id of another type than ids have is not sent back.
  const id = MessageId.safeParse(messageId).data
  if (messageId === undefined || messageId === null || messageId === '') throw userError('messageId is required', id)
  if (name === undefined || name === null || name === '') throw userError('Method is required', id)
  if (!methods.has(name)) throw userError(`Unsupported method: ${String(name).slice(0, 100)}`, id)
  return check(MethodMessage, message, 'Invalid message format', id)
}

const userError = (error: string, messageId: unknown) => new MessageProblem('UserError', error, messageId)

function parse(text: string): unknown {
  try {
    return parseJsonBody(text)
  } catch (error) {
    if (error instanceof CodedError) throw new MessageProblem('Invalid JSON payload', error.message, undefined)
    throw error
  }
}

function check<T extends z.ZodType>(schema: T, message: object, type: string, messageId?: unknown): z.infer<T> {
  const { success, data, error } = schema.safeParse(message)
  if (success) return data
  const issues = error.issues.map(issue => {
    const where = issue.path.map(String).join('.')
    return where === '' ? issue.message : `${where}: ${issue.message}`
  })
  throw new MessageProblem(type, issues.join(', ').slice(0, 1000), messageId)
}
