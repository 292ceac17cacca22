import { sep } from 'node:path'

const excerpt = /\n+LINE \d+:[\s\S]*$/
/** DuckDB names settings that nobody who asks can change. */
const setting = /\n+Use "SET [\s\S]*$/
const url = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`)\]}>]+/gi
// Of version 6 it has two colons: [1:8] is a line and a column.
const address = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[(?=[^\]]*:[^\]]*:)[0-9a-f:.]+\](?::\d+)?/gi
const quotedPath = /(["'`])\/[^"'`\n]+\1/g
const barePath = /(^|[\s"'`(=[,:])\/[^\s"'`()[\],:;]+/g

/**
 * The database's own message without what is nobody's business: the excerpt of the SQL, settings, addresses, and file paths, unless
 * they lie in the deployment's data folder, where they become relative to it.
 */
export function safeMessage(message: string, dataDirectory: string): string {
  const folder = dataDirectory.endsWith(sep) ? dataDirectory : dataDirectory + sep
  return message
    .replace(excerpt, '')
    .replace(setting, '')
    .replaceAll(folder, '')
    .replace(url, '<address>')
    .replace(address, '<address>')
    .replace(quotedPath, '$1<path>$1')
    .replace(barePath, '$1<path>')
    .trim()
}
