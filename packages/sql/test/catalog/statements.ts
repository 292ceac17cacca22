import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('introspection/', import.meta.url)

/** A statement that a tool sends to find out what there is. */
export interface ToolStatement {
  readonly tool: string
  readonly text: string
}

/** Every statement of every tool; commands of the session are not among them. */
export const toolStatements: readonly ToolStatement[] = readdirSync(folder).flatMap(file =>
  readFileSync(new URL(file, folder), 'utf8')
    .split(/;\s*\n/)
    .map(text => text.trim())
    .filter(text => /^(--[^\n]*\n\s*)*(select|with)\b/i.test(text))
    .map(text => ({ tool: file.replace('.sql', ''), text })),
)
