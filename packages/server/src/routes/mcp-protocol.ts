import type { IncomingHttpHeaders } from 'node:http'
import type { Mcp, McpSession } from '@hedron/platform'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'

interface ProtocolNeeds {
  readonly mcp: Mcp
  readonly version: string
  readonly tools: Tool[]
}

type CallContext = Parameters<Mcp['call']>[3]

/** How often a client that asked for it hears that a call goes on, in milliseconds. */
const progressMs = 10_000

const instructions =
  'Hedron answers questions from a semantic data model. Look up names with searchDataModel, then ask with runQuery; hand open questions to chat. When several deployments may be meant, call listDeployments and ask which. Never invent ids, names or numbers.'

/**
 * Answers the messages of one request by the protocol; what is needed for it is made for this request alone.
 *
 * @param body one message or several, as they were parsed
 * @returns the answer, and what ends all that runs for it.
 */
export async function answerMessages(
  need: ProtocolNeeds,
  session: McpSession,
  headers: IncomingHttpHeaders,
  body: unknown,
  context: CallContext,
): Promise<{ readonly response: Response; readonly close: () => void }> {
  const transport = new WebStandardStreamableHTTPServerTransport({})
  const protocol = createProtocol(need, session, context)
  const close = () => void protocol.close().catch(() => {})
  context.signal.addEventListener('abort', close, { once: true })
  // Its types do not know `exactOptionalPropertyTypes`; it is the transport that the server is made for.
  await protocol.connect(transport as Parameters<typeof protocol.connect>[0])
  // The client may have gone while this was loaded.
  if (context.signal.aborted) close()
  const request = asWebRequest(headers, context.requestId)
  return { response: await transport.handleRequest(request, { parsedBody: body ?? null }), close }
}

function createProtocol({ mcp, version, tools }: ProtocolNeeds, session: McpSession, context: CallContext): Server {
  const protocol = new Server({ name: 'hedron', version }, { capabilities: { tools: {} }, instructions })
  protocol.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }))
  protocol.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const token = params._meta?.progressToken
    let progress = 0
    const beat =
      token === undefined
        ? undefined
        : setInterval(() => {
            progress += 1
            const notification = {
              method: 'notifications/progress' as const,
              params: { progressToken: token, progress },
            }
            void extra.sendNotification(notification).catch(() => {})
          }, progressMs)
    try {
      const outcome = await mcp.call(session, params.name, params.arguments ?? {}, context)
      if (outcome.failed) return { isError: true, content: [{ type: 'text' as const, text: outcome.message }] }
      const { result } = outcome
      return {
        content: [{ type: 'text' as const, text: JSON.stringify(result) }],
        structuredContent: Object.fromEntries(Object.entries(result)),
      }
    } finally {
      clearInterval(beat)
    }
  })
  return protocol
}

/** The request as the protocol's transport reads it; its body was read already. */
function asWebRequest(headers: IncomingHttpHeaders, id: string): Request {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new Request(`http://mcp.invalid/${id}`, { method: 'POST', headers: new Headers(entries) })
}
