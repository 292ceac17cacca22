import { readFile } from 'node:fs/promises'
import * as z from 'zod'

/** What the build of `packages/embed` made, as its script writes it down; addresses are relative to `/embed/`. */
const BuiltPages = z.object({
  /** Notices a page that does not start; loaded before everything else. */
  boot: z.string(),
  main: z.string(),
  styles: z.array(z.string()),
  /** Files that a surface will need beside the main one, so that the browser asks for all at once. */
  preload: z.object({ dashboard: z.array(z.string()), chat: z.array(z.string()), app: z.array(z.string()) }),
})
export type BuiltPages = z.infer<typeof BuiltPages>

export const builtFolder = new URL('../../../../embed/dist/', import.meta.url)

/**
 * Reads what was built last; a build may come while the server runs, so it is read for each page.
 *
 * @returns null where nothing was built.
 */
export async function readBuiltPages(): Promise<BuiltPages | null> {
  try {
    return BuiltPages.parse(JSON.parse(await readFile(new URL('pages.json', builtFolder), 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
