/** A tool call is refused or failed; the message is for the assistant that called it. */
export class McpError extends Error {
  override readonly name = 'McpError'
}
