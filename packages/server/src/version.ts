import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** Version of this release, as its package says. */
export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')))
