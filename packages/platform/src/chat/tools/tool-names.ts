/** Other names under which clients of the field know the tools (contract/behaviour/chat.md). */
const aliases: ReadonlyMap<string, string> = new Map([
  ['cubeMeta', 'serviceMeta'],
  ['cubeSqlApi', 'serviceSqlApi'],
])

/** A tool's name in the SPEC's words. */
export const toolName = (name: string): string => aliases.get(name) ?? name
