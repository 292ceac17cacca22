import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

/** The project's root. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const bench = join(root, 'bench')

export const serverProgram = join(root, 'packages/server/src/main.ts')
export const commandLine = join(root, 'packages/cli/bin/hedron.js')
/** The command line as one file: `npm run build:cli` makes it. */
export const commandLineBinary = join(root, `dist/cli/hedron-${process.platform}-${process.arch}`)
export const peer = (name: string): string => join(bench, 'src/peers', name)

/** The program that an installed package brings. */
export function programOf(packageName: string, name: string): string {
  const folder = join(bench, 'node_modules', packageName)
  const manifest = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  const path = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[name]
  if (path === undefined) throw new Error(`the package ${packageName} brings no program ${name}`)
  return join(folder, path)
}
