/** Where messages to an agent are sent (SPEC endpoint 4). */
export const agentUrl = (baseUrl: string, account: string, agentId: number): string =>
  `${baseUrl}/api/v1/public/${encodeURIComponent(account)}/agents/${agentId}/chat/stream-chat-state`

/** Where assistants that speak the Model Context Protocol connect to. */
export const mcpUrl = (baseUrl: string): string => `${baseUrl}/mcp`
