import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** A file that the page loads. */
export interface Asset {
  readonly type: string
  readonly content: Buffer
  /** Strong entity tag (RFC 9110, 8.8.3), quoted. */
  readonly tag: string
}

export interface Assets {
  /**
   * Stands in the addresses. One hash over all files, so that modules import each other by plain relative names and every
   * address still changes with what it leads to.
   */
  readonly hash: string
  readonly files: ReadonlyMap<string, Asset>
  /** Address of a file. */
  url(name: string): string
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads what the browser may ask for out of a folder; files of other kinds are not served. */
export function readAssets(folder: URL): Assets {
  const names = readdirSync(folder)
    .filter(name => extname(name) in types)
    .sort()
  const files = new Map(
    names.map(name => {
      const content = readFileSync(new URL(name, folder))
      return [name, { type: types[extname(name)] ?? '', content, tag: `"${digest([content])}"` }]
    }),
  )
  const hash = digest([...files].flatMap(([name, { content }]) => [name, '\0', content, '\0']))
  return {
    hash,
    files,
    url(name) {
      if (!files.has(name)) throw new Error(`the page has no asset "${name}"`)
      return `/assets/${hash}/${name}`
    },
  }
}

function digest(parts: readonly (string | Buffer)[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest('base64url').slice(0, 16)
}
